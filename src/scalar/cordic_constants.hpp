// The irrational numbers that a CORDIC box is built of, to 112 bits behind the point.
//
// They come from power series summed in integers, so they are the same wherever the program is
// built, and as exact as the longest word asks: words of 100 bits turn with 104 behind the point.
// C++ and Verilog both round them from here.

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

// Of 2^−shift, from 0 to 126: beyond, and in part before, they are too small to be seen.
CordicConstant arc_tangent(int shift);
CordicConstant hyperbolic_arc_tangent(int shift);  // from 1

// ln(1 ± 2^−shift), times 2^126. ln 0 is not asked for.
inline constexpr int log_bits = 126;
Raw log_of_factor(int shift, int sign);

}  // namespace parid::scalar
