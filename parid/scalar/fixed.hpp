// Fixed-point numbers: integers with an understood point, as hardware has them.
//
// A FixedFormat is a word of `word` bits, sign included, `fraction` of them behind the point. Sums and
// products are rounded to nearest, halves upwards, and what does not fit is held at the largest number
// that does: what a DSP slice with a rounding bit and a saturating output gives.
//
//   CordicFixed   the arithmetic of a CORDIC box on such words, with guard bits below them
//   Fixed<F>      a Scalar of F fraction bits: running a formulation on it is running it on that hardware
//
// Words have at most 56 bits, guard bits included, so that every intermediate fits 64 (products 128).

#pragma once

#include <bit>
#include <compare>

#include "parid/scalar/cordic.hpp"
#include "parid/scalar/scalar.hpp"

namespace parid {

using Raw = std::int64_t;

// x · 2^−right to the nearest integer, halves upwards; `right` may be negative.
constexpr Raw rounded_shift(Raw x, int right) {
  if (right <= 0) return x << -right;
  if (right > 62) return 0;
  return (x >> right) + (x >> (right - 1) & 1);
}

struct FixedFormat {
  int word = 32, fraction = 28;

  int integer() const { return word - 1 - fraction; }
  double ulp() const { return std::ldexp(1.0, -fraction); }
  Raw largest() const { return (Raw{1} << (word - 1)) - 1; }
  Raw held(Raw x) const {  // within the word
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

// Constants are kept to 60 bits behind the point and rounded from there, in Verilog as here.
inline constexpr int constant_bits = 60;
inline Raw constant_raw(long double v) { return std::llround(std::ldexp(v, constant_bits)); }

struct CordicFixed {
  using Number = Raw;
  FixedFormat format;
  int guard = 6;
  int bits = 0;  // behind the point, guard bits included

  CordicFixed(FixedFormat f, int guard_bits)
      : format(f), guard(guard_bits), bits(f.fraction + guard_bits) {}

  int top() const { return format.integer() - 1; }
  Number number(long double v) const {
    return rounded_shift(constant_raw(v), constant_bits - bits);
  }
  Number shifted(Number x, int right) const { return rounded_shift(x, right); }
  int exponent(Number x) const {
    return 63 - std::countl_zero(static_cast<std::uint64_t>(x < 0 ? -x : x)) - bits;
  }
  // By a product with 1 / unit of twelve bits: near a half it may err, and nothing depends on that.
  int nearest(Number z, long double unit) const {
    const Raw per_unit = std::llround(4096 / unit);
    return static_cast<int>(rounded_shift(z * per_unit, 12 + bits));
  }
  int whole_turns(Number z) const {  // of an angle within 3π, which is what words of angles hold
    const Number half = number(3.14159265358979323846L);
    return z > half ? 1 : z < -half ? -1 : 0;
  }
  int largest_shift() const { return format.integer() + 1; }  // beyond it nothing fits the word
  Number inner(Number x) const { return x << guard; }
  Number outer(Number x) const { return format.held(rounded_shift(x, guard)); }
};

// A box with a word for every number and as many turns as it has bits.
inline Cordic<CordicFixed> cordic_fixed(FixedFormat f, int guard = 6,
                                        Normalising n = Normalising::after) {
  return Cordic<CordicFixed>(CordicFixed(f, guard), f.word, n);
}

// A number of F bits behind the point in a word of 48, held at its ends.
template <int F>
class Fixed {
 public:
  static constexpr int word = 48;
  static_assert(F >= 4 && F <= 44);

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
    const __int128 p = static_cast<__int128>(a.raw_) * b.raw_;
    return clamped((p >> F) + (p >> (F - 1) & 1));
  }
  friend Fixed operator/(Fixed a, Fixed b) {
    if (b.raw_ == 0) return from_raw(a.raw_ < 0 ? -format().largest() - 1 : format().largest());
    const __int128 n = static_cast<__int128>(a.raw_) << (F + 1);
    const __int128 q = n / b.raw_;
    return clamped((q >> 1) + (q & 1));
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
  static Fixed clamped(__int128 x) {
    const __int128 most = format().largest();
    return from_raw(static_cast<Raw>(x > most ? most : x < -most - 1 ? -most - 1 : x));
  }
  static const Cordic<CordicFixed>& box() {
    static const Cordic<CordicFixed> b(CordicFixed(format(), 6), F + 4);
    return b;
  }
  Raw raw_ = 0;
};

static_assert(Scalar<Fixed<24>>);

}  // namespace parid
