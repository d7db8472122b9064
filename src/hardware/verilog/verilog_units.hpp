// Verilog of the units that are modules of their own: a divider, and floating-point units.
//
// Each accepts new operands at every clock with `go` and gives the result a fixed number of such
// clocks later (pipeline/unit_latency.hpp).

#pragma once

#include <string>

#include "hardware/layer.hpp"
#include "hardware/pipeline/unit_latency.hpp"

namespace parid::hardware {

// inputs a, b, and up (if most_up > 0): the quotient a · 2^up / b, rounded, halves away from zero,
// and saturated to the word.
std::string verilog_divider(int word, int most_up, const std::string& module);

// inputs a, b (of a sum also `subtract`), output y.
std::string verilog_float_sum(FloatFormat, const std::string& module);
std::string verilog_float_product(FloatFormat, const std::string& module);
std::string verilog_float_quotient(FloatFormat, const std::string& module);
// Floating-point to fixed-point and back.
std::string verilog_fixed_of_float(FloatFormat, FixedFormat, const std::string& module);
std::string verilog_float_of_fixed(FixedFormat, FloatFormat, const std::string& module);

}  // namespace parid::hardware
