// The reference type for long words: floating point with 113 bits, in software.
//
// double has 53 bits, and words have up to 100. Where the C library has no such type (compilers
// other than GCC, libraries other than GNU's), long double is used: errors measured on long
// words are then at least about 1e-18, and are those of the library rather than those of the
// words.

#pragma once

#include <cmath>
#include <limits>

#include "scalar/fixed.hpp"
#include "scalar/layer.hpp"

namespace parid::scalar {

class Quad {
 public:
#if defined(__HAVE_FLOAT128) && __HAVE_FLOAT128 && !defined(__clang__)
  __extension__ typedef _Float128 Number;
  static constexpr int bits = 113;
#define PARID_QUAD(function) ::function##f128
#else
  using Number = long double;
  static constexpr int bits = std::numeric_limits<long double>::digits;
#define PARID_QUAD(function) ::function##l
#endif

  Quad() = default;
  Quad(double x) : v_(x) {}
  static Quad of(Number v) {
    Quad x;
    x.v_ = v;
    return x;
  }
  explicit operator double() const { return static_cast<double>(v_); }

  friend Quad operator+(Quad a, Quad b) { return of(a.v_ + b.v_); }
  friend Quad operator-(Quad a, Quad b) { return of(a.v_ - b.v_); }
  friend Quad operator-(Quad a) { return of(-a.v_); }
  friend Quad operator*(Quad a, Quad b) { return of(a.v_ * b.v_); }
  friend Quad operator/(Quad a, Quad b) { return of(a.v_ / b.v_); }
  friend bool operator<(Quad a, Quad b) { return a.v_ < b.v_; }
  friend bool operator==(Quad a, Quad b) { return a.v_ == b.v_; }
  friend Quad select(bool mask, Quad a, Quad b) { return mask ? a : b; }
  friend Quad abs(Quad a) { return a.v_ < 0 ? -a : a; }
  friend Quad sqrt(Quad a) { return of(PARID_QUAD(sqrt)(a.v_)); }
  friend Quad atan2(Quad y, Quad x) { return of(PARID_QUAD(atan2)(y.v_, x.v_)); }
  friend Quad exp(Quad a) { return of(PARID_QUAD(exp)(a.v_)); }
  friend Quad log(Quad a) { return of(PARID_QUAD(log)(a.v_)); }
  friend SinCos<Quad> sin_cos(Quad a) {
    return {of(PARID_QUAD(sin)(a.v_)), of(PARID_QUAD(cos)(a.v_))};
  }

  // The nearest word, and the value of a word: exact if Quad has enough bits.
  friend Raw word_of(FixedFormat f, Quad x) {
    const Number scaled = PARID_QUAD(rint)(PARID_QUAD(ldexp)(x.v_, f.fraction));
    const Number most = PARID_QUAD(ldexp)(1, f.word - 1);
    return scaled >= most    ? f.largest()
           : scaled <= -most ? -f.largest() - 1
                             : static_cast<Raw>(scaled);
  }
  static Quad of(FixedFormat f, Raw x) {
    return of(PARID_QUAD(ldexp)(static_cast<Number>(x), -f.fraction));
  }

 private:
  Number v_ = 0;
};
#undef PARID_QUAD

static_assert(Scalar<Quad>);

}  // namespace parid::scalar
