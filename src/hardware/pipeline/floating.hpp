// Floating-point numbers of any length, as parametric hardware units compute them.
//
// A word is a sign, `exponent` bits with the bias 2^(exponent − 1) − 1, and `mantissa` bits behind
// a leading one. Exponent 0 is zero; there are no subnormal numbers, no infinities and no NaN: a
// result that is too small is zero, one that is too large is the largest number, and so is a
// quotient by zero. Results are rounded to nearest, halves to even. Within the normal range, words
// of (8, 23) and (11, 52) equal IEEE 754's float and double.

#pragma once

#include "hardware/layer.hpp"
#include "scalar/fixed.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

struct FloatFormat {
  static constexpr int shortest_exponent = 3, longest_exponent = 13, shortest_mantissa = 4,
                       longest_mantissa = 59;

  int exponent = 8, mantissa = 23;

  int word() const { return 1 + exponent + mantissa; }
  int bias() const { return (1 << (exponent - 1)) - 1; }
  int top() const { return (1 << exponent) - 1; }  // the largest exponent field
  double largest() const;
  double smallest() const { return std::ldexp(1.0, 1 - bias()); }     // above zero
  double half_ulp() const { return std::ldexp(1.0, -mantissa - 1); }  // relative

  Raw raw(Quad) const;
  Quad value(Raw) const;
  bool operator==(const FloatFormat&) const = default;
};

// Throws parid::Error for numbers of bits outside the limits above.
FloatFormat float_format(int exponent, int mantissa);

Raw float_sum(FloatFormat, Raw a, Raw b, bool minus);
Raw float_product(FloatFormat, Raw a, Raw b);
Raw float_quotient(FloatFormat, Raw a, Raw b);
Raw float_negative(FloatFormat, Raw a);

// To the nearest word, halves away from zero, within the word; and to the nearest number, halves to
// even.
Raw fixed_of_float(FloatFormat, Raw, FixedFormat);
Raw float_of_fixed(FixedFormat, Raw, FloatFormat);

}  // namespace parid::hardware
