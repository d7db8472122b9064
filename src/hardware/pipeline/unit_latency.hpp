// Clocks from the operands of a unit to its result.

#pragma once

#include "hardware/layer.hpp"
#include "hardware/pipeline/floating.hpp"

namespace parid::hardware {

struct UnitLatency {
  int add = 1, mul = 2;  // clocks, of words in fixed point
};

constexpr int divider_latency(int word) { return word + 3; }
constexpr int float_sum_latency() { return 3; }
constexpr int float_product_latency() { return 2; }
constexpr int float_quotient_latency(FloatFormat f) { return f.mantissa + 5; }
constexpr int conversion_latency() { return 2; }  // between floating and fixed point, each way

}  // namespace parid::hardware
