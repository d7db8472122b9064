// From a graph to pipelines in fixed point, CORDIC machines, systolic arrays and Verilog.
//
// The layers whose names this one may use. src/hardware/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "codegen/layer.hpp"

namespace parid::hardware {
using namespace codegen;
}  // namespace parid::hardware
