// Fixed-point numbers: integers with an implied binary point, as in hardware.
//
// A FixedFormat is a word of `word` bits, sign included, `fraction` of them behind the point.
// Sums and products are rounded to nearest, halves upwards, and saturate: the behaviour of a DSP
// slice with a rounding bit and a saturating output.
//
//   CordicFixed   the arithmetic of a CORDIC module on such words, with guard bits below them
//   Fixed<F, W>   a Scalar of W bits, F of them a fraction: running a formulation on it is running
//                 it on that hardware
//
// Words have 6 to 100 bits. At 6, three bits before the point, which angles need, leave two
// behind it. At 100, with up to 8 guard bits, every intermediate of a module fits Raw's 128 bits
// (a word, guard bits, the gain of a rotation, and 13 bits that find multiples of ln 2), and the
// constants, with 112 fraction bits, are longer than needed. Products have twice as many bits
// (Wide).

#pragma once

#include <cassert>
#include <compare>

#include "scalar/cordic.hpp"
#include "scalar/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::scalar {

inline constexpr int shortest_word = 6, longest_word = 100;
inline constexpr int longest_guard = 8;

struct FixedFormat {
  int word = 32, fraction = 28;

  int integer() const { return word - 1 - fraction; }
  double ulp() const { return std::ldexp(1.0, -fraction); }
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): no word is shorter than one
  // bit
  Raw largest() const { return (Raw{1} << (word - 1)) - 1; }
  Raw held(Raw x) const {  // saturates
    return x > largest() ? largest() : x < -largest() - 1 ? -largest() - 1 : x;
  }
  Raw raw(double x) const {
    const double scaled = std::nearbyint(std::ldexp(x, fraction));
    const double most = static_cast<double>(largest());
    return scaled >= most        ? largest()
           : scaled <= -most - 1 ? -largest() - 1
                                 : static_cast<Raw>(scaled);
  }
  double value(Raw x) const { return std::ldexp(static_cast<double>(x), -fraction); }
  bool operator==(const FixedFormat&) const = default;
};

struct CordicFixed {
  using Number = Raw;
  FixedFormat format;
  int guard = 6;
  int bits = 0;  // behind the point, guard bits included

  CordicFixed(FixedFormat f, int guard_bits)
      : format(f), guard(guard_bits), bits(f.fraction + guard_bits) {
    assert(f.word <= longest_word && guard_bits <= longest_guard);
  }

  int top() const { return format.integer() - 1; }
  Number number(const CordicConstant& c) const { return c.raw(bits); }
  Number shifted(Number x, int right) const { return rounded_shift(x, right); }
  int exponent(Number x) const { return highest_bit(x) - bits; }
  // By a product with 1 / unit of twelve bits: near a half it may be wrong, which does no harm.
  int nearest(Number z, const CordicConstant& unit) const {
    const Raw per_unit = std::llround(4096 / unit.value());
    return static_cast<int>(rounded_shift(z * per_unit, 12 + bits));
  }
  int whole_turns(Number z) const {  // for an angle within 3π, the range of an angle word
    const Number half = number(half_turn());
    return z > half ? 1 : z < -half ? -1 : 0;
  }
  int largest_shift() const { return format.integer() + 1; }  // a larger shift overflows the word
  Number inner(Number x) const { return x << guard; }
  Number outer(Number x) const { return format.held(rounded_shift(x, guard)); }
};

// A module with one word per number and as many rotations as bits.
inline Cordic<CordicFixed> cordic_fixed(FixedFormat f, int guard = 6,
                                        Normalising n = Normalising::after) {
  return Cordic<CordicFixed>(CordicFixed(f, guard), f.word, n);
}

// A number with F fraction bits in a word of W bits, saturating.
template <int F, int W = 48>
class Fixed {
 public:
  static constexpr int word = W;
  static_assert(W <= longest_word && F >= 4 && F <= W - 4);

  Fixed() = default;
  explicit Fixed(double x) : raw_(format().raw(x)) {}
  static Fixed from_raw(Raw r) {
    Fixed x;
    x.raw_ = format().held(r);
    return x;
  }
  static constexpr FixedFormat format() { return {word, F}; }
  Raw raw() const { return raw_; }
  double value() const { return format().value(raw_); }

  friend Fixed operator+(Fixed a, Fixed b) { return from_raw(a.raw_ + b.raw_); }
  friend Fixed operator-(Fixed a, Fixed b) { return from_raw(a.raw_ - b.raw_); }
  friend Fixed operator-(Fixed a) { return from_raw(-a.raw_); }
  friend Fixed operator*(Fixed a, Fixed b) {
    if constexpr (2 * W <= 128) return from_raw(rounded_shift(a.raw_ * b.raw_, F));
    // Values beyond the word saturate before they are truncated.
    const Wide p = exact_product(a.raw_, b.raw_), above = p >> (F + W - 1);
    if (above != Wide(0) && above != Wide(-1)) return end(above.high < 0);
    return from_raw(rounded_shift(p, F));
  }
  friend Fixed operator/(Fixed a, Fixed b) {
    const bool minus = (a.raw_ < 0) != (b.raw_ < 0);
    if (b.raw_ == 0) return end(a.raw_ < 0);
    // Computed to one bit more than the word has, then rounded.
    const RawBits n = magnitude(a.raw_), d = magnitude(b.raw_);
    RawBits quotient = n / d, rest = n % d;
    for (int k = 0; k <= F; ++k) {
      if (quotient >> W) return end(minus);
      rest <<= 1, quotient <<= 1;
      if (rest >= d) {
        rest -= d;
        quotient |= 1;
      }
    }
    const Raw q = minus ? -static_cast<Raw>(quotient) : static_cast<Raw>(quotient);
    return from_raw((q >> 1) + (q & 1));
  }
  friend auto operator<=>(Fixed a, Fixed b) = default;
  friend Fixed abs(Fixed a) { return a.raw_ < 0 ? -a : a; }
  friend Fixed select(bool mask, Fixed a, Fixed b) { return mask ? a : b; }
  friend Fixed sqrt(Fixed a) {  // √w = √((w + ¼)² − (w − ¼)²)
    const Raw quarter = Raw{1} << (F - 2);
    return from_raw(box()(Box::hype2, a.raw_ + quarter, a.raw_ - quarter, 0).x);
  }
  friend Fixed atan2(Fixed y, Fixed x) { return from_raw(box()(Box::circ2, x.raw_, -y.raw_, 0).z); }
  friend SinCos<Fixed> sin_cos(Fixed z) {
    const auto v = box()(Box::circ1, Raw{1} << F, 0, z.raw_);
    return {from_raw(-v.y), from_raw(v.x)};
  }

 private:
  static Fixed end(bool minus) {
    return from_raw(minus ? -format().largest() - 1 : format().largest());
  }
  static const Cordic<CordicFixed>& box() {
    static const Cordic<CordicFixed> b(CordicFixed(format(), 6), F + 4);
    return b;
  }
  Raw raw_ = 0;
};

static_assert(Scalar<Fixed<24>>);

}  // namespace parid::scalar
