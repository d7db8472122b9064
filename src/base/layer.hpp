// Errors, text, files, processes and threads: what every other layer may use.
//
// The layers whose names this one may use. src/base/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

namespace parid::base {}  // namespace parid::base
