// The HTML page of `parid report`, and a server for it on this computer.
//
// The layers whose names this one may use. src/report/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "model/layer.hpp"

namespace parid::report {
using namespace model;
}  // namespace parid::report
