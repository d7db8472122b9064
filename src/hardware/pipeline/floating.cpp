#include "hardware/pipeline/floating.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parid/error.hpp"

namespace parid::hardware {
namespace {

struct Unpacked {
  bool minus;
  int exponent;      // of the field; 0: zero
  RawBits mantissa;  // with its leading one
};

Unpacked unpacked(FloatFormat f, Raw word) {
  const RawBits w = static_cast<RawBits>(word), one = 1;
  const int exponent = static_cast<int>(w >> f.mantissa) & f.top();
  return {(w >> (f.word() - 1) & 1) != 0, exponent,
          exponent == 0 ? 0 : (w & ((one << f.mantissa) - 1)) | one << f.mantissa};
}

Raw packed(FloatFormat f, bool minus, int exponent, RawBits mantissa) {
  const RawBits one = 1;
  if (exponent < 1 || mantissa == 0) return 0;
  if (exponent > f.top()) {
    exponent = f.top();
    mantissa = (one << (f.mantissa + 1)) - 1;
  }
  return static_cast<Raw>(RawBits{minus} << (f.word() - 1) |
                          static_cast<RawBits>(exponent) << f.mantissa |
                          (mantissa & ((one << f.mantissa) - 1)));
}

// Rounds m · 2^(exponent − bias − mantissa − 3): the mantissa, and three bits of which the last is
// whether anything follows. The leading one of m is at bit mantissa + 3.
Raw rounded(FloatFormat f, bool minus, int exponent, RawBits m) {
  const RawBits kept = m >> 3, rest = m & 7;
  RawBits r = kept + (rest > 4 || (rest == 4 && (kept & 1) != 0) ? 1 : 0);
  if (r >> (f.mantissa + 1) != 0) {
    r >>= 1;
    ++exponent;
  }
  return packed(f, minus, exponent, r);
}

RawBits with_sticky(RawBits m, int right) {
  if (right > 126) return m != 0;
  const RawBits low = m & ((RawBits{1} << right) - 1);
  return m >> right | (low != 0 ? 1 : 0);
}

}  // namespace

double FloatFormat::largest() const {
  return exponent > 11 ? 1.7e308
                       : std::ldexp(2 - std::ldexp(1.0, -std::min(mantissa, 52)), top() - bias());
}

FloatFormat float_format(int exponent, int mantissa) {
  const FloatFormat f{exponent, mantissa};
  if (exponent < f.shortest_exponent || exponent > f.longest_exponent ||
      mantissa < f.shortest_mantissa || mantissa > f.longest_mantissa)
    throw Error(
        fmt::format("a floating-point unit has {} to {} exponent bits and {} to {} mantissa "
                    "bits, not {} and {}",
                    f.shortest_exponent, f.longest_exponent, f.shortest_mantissa,
                    f.longest_mantissa, exponent, mantissa));
  return f;
}

Quad FloatFormat::value(Raw word) const {
  const Unpacked u = unpacked(*this, word);
  if (u.exponent == 0) return Quad(0);
  Quad scaled = Quad::of(FixedFormat{mantissa + 2, mantissa}, static_cast<Raw>(u.mantissa));
  for (int left = u.exponent - bias(); left != 0;) {  // powers of two within the range of a double
    const int step = std::clamp(left, -1000, 1000);
    scaled = scaled * Quad(std::ldexp(1.0, step));
    left -= step;
  }
  return u.minus ? -scaled : scaled;
}

Raw FloatFormat::raw(Quad x) const {
  const bool minus = x < Quad(0);
  Quad m = minus ? -x : x;
  if (m == Quad(0)) return 0;
  int power = 0;
  while (!(m < Quad(2))) {
    m = m * Quad(0.5);
    ++power;
  }
  while (m < Quad(1)) {
    m = m * Quad(2);
    --power;
    if (power < -bias() - 2) return 0;
  }
  // Fraction bits beyond the mantissa, and whether anything is left.
  const int bits = mantissa + 2;
  const Quad scaled = m * Quad(std::ldexp(1.0, bits));
  Raw whole = word_of(FixedFormat{bits + 3, 0}, scaled);
  if (scaled < Quad::of(FixedFormat{bits + 3, 0}, whole)) --whole;
  const bool more = Quad::of(FixedFormat{bits + 3, 0}, whole) < scaled;
  return rounded(*this, minus, power + bias(), static_cast<RawBits>(whole) << 1 | (more ? 1 : 0));
}

Raw float_negative(FloatFormat f, Raw a) {
  if (unpacked(f, a).exponent == 0) return 0;
  return static_cast<Raw>(static_cast<RawBits>(a) ^ RawBits{1} << (f.word() - 1));
}

Raw float_sum(FloatFormat f, Raw first, Raw second, bool minus) {
  Unpacked a = unpacked(f, first), b = unpacked(f, second);
  b.minus = b.minus != minus;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa))
    std::swap(a, b);
  if (a.exponent == 0) return 0;
  const RawBits large = a.mantissa << 3,
                small = with_sticky(b.mantissa << 3, a.exponent - b.exponent);
  RawBits sum = a.minus == b.minus ? large + small : large - small;
  if (sum == 0) return 0;
  int exponent = a.exponent;
  const int leading = highest_bit(static_cast<Raw>(sum)), wanted = f.mantissa + 3;
  if (leading > wanted) {
    sum = with_sticky(sum, 1);
    ++exponent;
  } else {
    sum <<= wanted - leading;
    exponent -= wanted - leading;
  }
  return rounded(f, a.minus, exponent, sum);
}

Raw float_product(FloatFormat f, Raw first, Raw second) {
  const Unpacked a = unpacked(f, first), b = unpacked(f, second);
  if (a.exponent == 0 || b.exponent == 0) return 0;
  RawBits product = a.mantissa * b.mantissa << 2;  // two more bits, for short mantissas
  int exponent = a.exponent + b.exponent - f.bias();
  if (product >> (2 * f.mantissa + 3) != 0) {
    product = with_sticky(product, 1);
    ++exponent;
  }
  return rounded(f, a.minus != b.minus, exponent, with_sticky(product << 1, f.mantissa));
}

Raw float_quotient(FloatFormat f, Raw first, Raw second) {
  const Unpacked a = unpacked(f, first), b = unpacked(f, second);
  const bool minus = a.minus != b.minus;
  if (a.exponent == 0) return 0;
  if (b.exponent == 0) return packed(f, minus, f.top() + 1, 1);
  int exponent = a.exponent - b.exponent + f.bias();
  const bool less = a.mantissa < b.mantissa;
  if (less) --exponent;
  const RawBits n = a.mantissa << (f.mantissa + 2 + (less ? 1 : 0));
  const RawBits quotient = n / b.mantissa;
  return rounded(f, minus, exponent, quotient << 1 | (n % b.mantissa != 0 ? 1 : 0));
}

Raw fixed_of_float(FloatFormat f, Raw word, FixedFormat to) {
  const Unpacked u = unpacked(f, word);
  const int left = u.exponent - f.bias() - f.mantissa + to.fraction;
  RawBits size = u.mantissa;
  if (u.exponent == 0) return 0;
  if (left > 0)
    size = left > to.word ? static_cast<RawBits>(to.largest()) : size << left;
  else if (-left > f.mantissa + 1)
    size = 0;
  else if (left < 0)
    size = (size >> -left) + (size >> (-left - 1) & 1);
  const Raw value =
      size > static_cast<RawBits>(to.largest()) ? to.largest() : static_cast<Raw>(size);
  return u.minus ? -value : value;
}

Raw float_of_fixed(FixedFormat from, Raw word, FloatFormat f) {
  if (word == 0) return 0;
  const RawBits size = magnitude(word);
  const int leading = highest_bit(word), wanted = f.mantissa + 3;
  const RawBits m =
      leading > wanted ? with_sticky(size, leading - wanted) : size << (wanted - leading);
  return rounded(f, word < 0, leading - from.fraction + f.bias(), m);
}

}  // namespace parid::hardware
