// The irrational constants of a CORDIC module, with 112 fraction bits.
//
// They are power series summed in integers, so they are the same on every machine, and exact enough
// for the longest word: words of 100 bits rotate with 104 fraction bits. C++ and Verilog both round
// them from here.

#pragma once

#include "scalar/layer.hpp"
#include "scalar/raw.hpp"

namespace parid::scalar {

inline constexpr int constant_bits = 112;

struct CordicConstant {
  Raw q = 0;  // times 2^−112

  Raw raw(int bits) const { return rounded_shift(q, constant_bits - bits); }
  double value() const;
};

const CordicConstant& half_turn();  // π
const CordicConstant& quarter_turn();
const CordicConstant& whole_turn();
const CordicConstant& log_of_two();

// Arc tangents of 2^−shift, 0 to 126; larger shifts are below the last bit.
CordicConstant arc_tangent(int shift);
CordicConstant hyperbolic_arc_tangent(int shift);  // from 1

// ln(1 ± 2^−shift), times 2^126. ln 0 is not needed.
inline constexpr int log_bits = 126;
Raw log_of_factor(int shift, int sign);

}  // namespace parid::scalar
