// Number types and instruction sets.
//
// The layers whose names this one may use. src/scalar/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

namespace parid::scalar {}  // namespace parid::scalar
