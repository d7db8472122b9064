// From a robot to a graph (trace/), from a graph to source code (emit/), and from source code to
// functions (compile/).
//
// The layers whose names this one may use. src/codegen/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "base/layer.hpp"
#include "dynamics/layer.hpp"
#include "graph/layer.hpp"
#include "kinematics/layer.hpp"

namespace parid::codegen {
using namespace base;
using namespace dynamics;
using namespace kinematics;
using namespace graph;
}  // namespace parid::codegen
