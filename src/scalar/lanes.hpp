// The compilers' vector types, and sine and cosine of a vector.
//
// Everything here works the same for a vector of W numbers and, with W = 1, for a number.

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "scalar/layer.hpp"
#include "scalar/scalar.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace parid::scalar::detail {

// clang-format off
// GCC 12 forgets a vector_size that depends on a template parameter, hence one line per width.
template <class Real, int W> struct Lanes;
template <> struct Lanes<double, 1> { using real = double; using integer = std::int64_t; using bits = std::uint64_t; };
template <> struct Lanes<double, 2> {
  typedef double real __attribute__((vector_size(16)));
  typedef std::int64_t integer __attribute__((vector_size(16)));
  typedef std::uint64_t bits __attribute__((vector_size(16)));
};
template <> struct Lanes<double, 4> {
  typedef double real __attribute__((vector_size(32)));
  typedef std::int64_t integer __attribute__((vector_size(32)));
  typedef std::uint64_t bits __attribute__((vector_size(32)));
};
template <> struct Lanes<double, 8> {
  typedef double real __attribute__((vector_size(64)));
  typedef std::int64_t integer __attribute__((vector_size(64)));
  typedef std::uint64_t bits __attribute__((vector_size(64)));
};
template <> struct Lanes<double, 16> {
  typedef double real __attribute__((vector_size(128)));
  typedef std::int64_t integer __attribute__((vector_size(128)));
  typedef std::uint64_t bits __attribute__((vector_size(128)));
};
template <> struct Lanes<float, 1> { using real = float; };
template <> struct Lanes<float, 4> { typedef float real __attribute__((vector_size(16))); };
template <> struct Lanes<float, 8> { typedef float real __attribute__((vector_size(32))); };
template <> struct Lanes<float, 16> { typedef float real __attribute__((vector_size(64))); };
// clang-format on

template <int W, class V>
auto lane(const V& v, int k) {
  if constexpr (W == 1)
    return v;
  else
    return v[k];
}
template <int W, class V, class X>
void set_lane(V& v, int k, X x) {
  if constexpr (W == 1)
    v = x;
  else
    v[k] = x;
}
template <int W, class V, class X>
V broadcast(X x) {
  V v{};
  for (int k = 0; k < W; ++k) set_lane<W>(v, k, x);
  return v;
}

// Clears the sign bit. The type of a comparison is the integer vector of the same width.
template <int W, class V>
V abs_lanes(const V& x) {
  if constexpr (W == 1) {
    return std::abs(x);
  } else {
    using I = decltype(x < x);
    return std::bit_cast<V>(std::bit_cast<I>(x) & ~std::bit_cast<I>(-V{}));
  }
}

// The compilers have no operator for it. Isa separates the code for one set from the
// others.
template <class Isa, int W, class V>
V sqrt_lanes(const V& x) {
#if defined(__x86_64__)
  using Real = decltype(lane<W>(x, 0));
  constexpr bool is_double = sizeof(Real) == 8;
  if constexpr (W > 1 && sizeof(V) == 16) {
    if constexpr (is_double) return std::bit_cast<V>(_mm_sqrt_pd(std::bit_cast<__m128d>(x)));
    if constexpr (!is_double) return std::bit_cast<V>(_mm_sqrt_ps(std::bit_cast<__m128>(x)));
  }
#if defined(__AVX__)
  if constexpr (W > 1 && sizeof(V) == 32) {
    if constexpr (is_double) return std::bit_cast<V>(_mm256_sqrt_pd(std::bit_cast<__m256d>(x)));
    if constexpr (!is_double) return std::bit_cast<V>(_mm256_sqrt_ps(std::bit_cast<__m256>(x)));
  }
#endif
#if defined(__AVX512F__)  // masked, because GCC 12 warns about its own unmasked ones
  if constexpr (W > 1 && sizeof(V) == 64) {
    if constexpr (is_double)
      return std::bit_cast<V>(_mm512_maskz_sqrt_pd(0xff, std::bit_cast<__m512d>(x)));
    if constexpr (!is_double)
      return std::bit_cast<V>(_mm512_maskz_sqrt_ps(0xffff, std::bit_cast<__m512>(x)));
  }
#endif
#endif
  V y{};
  for (int k = 0; k < W; ++k) set_lane<W>(y, k, std::sqrt(lane<W>(x, k)));
  return y;
}

// Returns x; -ffast-math in an including program does not reassociate across it.
template <class V>
inline __attribute__((always_inline)) V kept(const V& x) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(x);
#endif
#endif
  return x;
}

// Beyond this |x| the reduction below is not exact; libm is used instead, lane by lane.
inline constexpr double sin_cos_range = 1e5;

// Sine and cosine together, at most 1 ulp each for |x| ≤ sin_cos_range; 2 ulp where the rounding
// mode is not to nearest, 3 ulp where also a program that includes this is compiled with
// -ffast-math.
//
// x = n·π/2 + r + t with |r| ≤ π/4: π/2 is split as p1 + p2 + p3, of which p1 and p2 have 33 bits,
// so that n·p1 and n·p2 are exact for n < 2²⁰; t is what rounding r lost, and p3's part. The
// polynomials interpolate (sin r/r − 1)/r² and (cos r − 1 + r²/2)/r⁴ at the Chebyshev points of
// [0, (π/4)²]; their own error is below 0.2 ulp.
//
// n is found in the bits of x·2/π + 3·2³¹ + 1/2. Those below the unit, bit 20, are cleared, which
// rounds down in every rounding mode; the sum itself is rounded to 2⁻²⁰, so |r| exceeds π/4 by a
// millionth at most. No compiler flag cancels 3·2³¹, because the step between is not arithmetic.
template <class Isa, int W>
void sin_cos_lanes(const typename Lanes<double, W>::real& x, typename Lanes<double, W>::real& sine,
                   typename Lanes<double, W>::real& cosine) {
#if defined(__clang__) && __clang_major__ >= 13
#pragma clang fp reassociate(off)
#endif
  using V = typename Lanes<double, W>::real;
  using I = typename Lanes<double, W>::integer;
  using B = typename Lanes<double, W>::bits;
  constexpr double p1 = 0x1.921fb544p+0, p2 = 0x1.0b4611a6p-34, p3 = 0x1.3198a2e037073p-69;
  constexpr double large = 0x1.8p32;
  constexpr std::uint64_t sign = std::uint64_t{1} << 63, unit = std::uint64_t{1} << 20;

  const V shifted = x * 0x1.45f306dc9c883p-1 + (large + 0.5);
  const B n = std::bit_cast<B>(shifted) & ~(unit - 1);
  const V nf = std::bit_cast<V>(n) - large;
  const V u = kept(V(x - nf * p1));  // exact
  const V w = nf * p2;               // exact
  const V r = kept(V(u - w));
  const V back = kept(V(r - u));
  // what u - w lost, exactly; then p3
  const V t = kept(V(kept(V(u - kept(V(r - back)))) - kept(V(w + back)))) - nf * p3;

  const V z = r * r, z2 = z * z, z4 = z2 * z2;
  const V ps = (-0.16666666666666666 + z * 0.008333333333330943) +
               z2 * (-0.0001984126983674956 + z * 2.755731609787775e-06) +
               z4 * (-2.5051130870968297e-08 + z * 1.591805913698281e-10);
  const V pc = (0.041666666666666664 + z * -0.0013888888888887393) +
               z2 * (2.4801587298760048e-05 + z * -2.755731726880539e-07) +
               z4 * (2.0876145659059344e-09 + z * -1.1382588535352522e-11);
  const V h = 0.5 * z, c0 = kept(V(1.0 - h));
  const V s = r + ((r * z) * ps + t * c0);  // sin(r + t) = sin r + t cos r
  // cos(r + t) = cos r - t sin r
  const V c = c0 + (kept(V(kept(V(1.0 - c0)) - h)) + (z2 * pc - r * t));

  // n odd: swap. Signs: bit 1 of n, and of n + 1.
  const B top = n << 42, odd = 0 - (n >> 20 & 1);
  const B sb = std::bit_cast<B>(s), cb = std::bit_cast<B>(c), swap = (sb ^ cb) & odd;
  sine = std::bit_cast<V>(sb ^ swap ^ (top & sign));
  cosine = std::bit_cast<V>(cb ^ swap ^ ((top + (sign >> 1)) & sign));

  // The bits of |x| compare like integers, and NaN is above all.
  const I bits = std::bit_cast<I>(x) & std::int64_t{0x7fffffffffffffff};
  const I far = bits > std::bit_cast<std::int64_t>(sin_cos_range);
  std::int64_t any = 0;
  for (int k = 0; k < W; ++k) any |= lane<W>(far, k);
  if (any) [[unlikely]]
    for (int k = 0; k < W; ++k)
      if (const double y = lane<W>(x, k); !(std::abs(y) <= sin_cos_range)) {
        set_lane<W>(sine, k, std::sin(y));
        set_lane<W>(cosine, k, std::cos(y));
      }
}

}  // namespace parid::scalar::detail
