// Computations as data: operations, graphs and the passes over them. Nothing here depends on
// robots.
//
// The layers whose names this one may use. src/graph/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "scalar/layer.hpp"

namespace parid::graph {
using namespace scalar;
}  // namespace parid::graph
