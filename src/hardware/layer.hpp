// From a graph to pipelines in fixed point, CORDIC machines, arrays, controllers and Verilog.
//
// The layers whose names this one may use. src/hardware/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "control/layer.hpp"

namespace parid::hardware {
using namespace control;
}  // namespace parid::hardware
