// Sine and cosine of a word, one rotation per step: a CORDIC module whose start value includes the
// gain, so that no correction is needed at the end.
//
// Angles have `integer` bits before the point; whole turns are subtracted by halving, 4π, then 2π,
// …, which leaves ±π. Results have word − 2 fraction bits, so that 1 fits.

#pragma once

#include "scalar/fixed.hpp"
#include "scalar/layer.hpp"

namespace parid::scalar {

struct FixedSinCos {
  int word, guard = word > 48 ? 5 : 4, integer = 3;  // more rotations need more guard bits

  FixedFormat angle() const { return {word, word - 1 - integer}; }
  FixedFormat result() const { return {word, word - 2}; }
  int bits() const { return word - 2 + guard; }  // fraction bits inside
  int turns() const { return word + 1; }
  int wraps() const { return integer - 2; }  // an angle of 2^integer is within 3π 2^(wraps − 1)

  SinCos<Raw> operator()(Raw angle_word) const {
    const Raw quarter = quarter_turn().raw(bits()), half = half_turn().raw(bits()),
              turn = whole_turn().raw(bits());
    Raw z = angle_word << (guard + integer - 1);
    for (int k = wraps() - 1; k >= 0; --k) {
      if (z > half << k) {
        z -= turn << k;
      } else if (z < -(half << k)) {
        z += turn << k;
      }
    }
    Raw c = cordic_start(turns()).raw(bits()), s = 0;  // of the quadrant of the angle
    if (z > quarter) {
      s = c;
      c = 0;
      z -= quarter;
    } else if (z < -quarter) {
      s = -c;
      c = 0;
      z += quarter;
    }
    for (int k = 0; k < turns(); ++k) {
      const Raw dc = rounded_shift(s, k), ds = rounded_shift(c, k), a = arc_tangent(k).raw(bits());
      c = z < 0 ? c + dc : c - dc;
      s = z < 0 ? s - ds : s + ds;
      z = z < 0 ? z + a : z - a;
    }
    return {result().held(rounded_shift(s, guard)), result().held(rounded_shift(c, guard))};
  }
};

}  // namespace parid::scalar
