// W numbers in one register, one sample per lane.

#pragma once

#include <type_traits>

#include "scalar/angle.hpp"
#include "scalar/isa.hpp"
#include "scalar/lanes.hpp"
#include "scalar/layer.hpp"

namespace parid::scalar {

template <int W, class Real = double, class Isa = Baseline>
struct Pack {
  using Lanes = typename detail::Lanes<Real, W>::real;
  Lanes lane;

  Pack() : lane{} {}
  explicit Pack(double x) : lane(detail::broadcast<W, Lanes>(static_cast<Real>(x))) {}

  Real operator[](int k) const { return detail::lane<W>(lane, k); }
  void set(int k, Real x) { detail::set_lane<W>(lane, k, x); }
};

template <int W, class R, class I>
Pack<W, R, I> operator+(Pack<W, R, I> a, const Pack<W, R, I>& b) {
  return a.lane += b.lane, a;
}
template <int W, class R, class I>
Pack<W, R, I> operator-(Pack<W, R, I> a, const Pack<W, R, I>& b) {
  return a.lane -= b.lane, a;
}
template <int W, class R, class I>
Pack<W, R, I> operator*(Pack<W, R, I> a, const Pack<W, R, I>& b) {
  return a.lane *= b.lane, a;
}
template <int W, class R, class I>
Pack<W, R, I> operator/(Pack<W, R, I> a, const Pack<W, R, I>& b) {
  return a.lane /= b.lane, a;
}
template <int W, class R, class I>
Pack<W, R, I> operator-(Pack<W, R, I> a) {
  return a.lane = -a.lane, a;
}

// A wrapper, because a bare vector as a template argument loses its attributes.
template <class Lanes>
struct PackMask {
  Lanes lane;
};
template <int W, class R, class I>
auto operator<(const Pack<W, R, I>& a, const Pack<W, R, I>& b) {
  return PackMask<decltype(a.lane < b.lane)>{a.lane < b.lane};
}
template <class M, int W, class R, class I>
Pack<W, R, I> select(const PackMask<M>& mask, Pack<W, R, I> a, const Pack<W, R, I>& b) {
  return a.lane = mask.lane ? a.lane : b.lane, a;
}
template <int W, class R, class I>
Pack<W, R, I> abs(Pack<W, R, I> a) {
  return a.lane = detail::abs_lanes<W>(a.lane), a;
}
template <int W, class R, class I>
Pack<W, R, I> sqrt(Pack<W, R, I> a) {
  return a.lane = detail::sqrt_lanes<I, W>(a.lane), a;
}
template <int W, class R, class I>
Pack<W, R, I> atan2(const Pack<W, R, I>& y, const Pack<W, R, I>& x) {
  Pack<W, R, I> z;
  for (int k = 0; k < W; ++k) z.set(k, std::atan2(y[k], x[k]));
  return z;
}

template <int W, class I>
SinCos<Pack<W, double, I>> sin_cos(const Pack<W, double, I>& x) {
  SinCos<Pack<W, double, I>> y;
  detail::sin_cos_lanes<I, W>(x.lane, y.sin.lane, y.cos.lane);
  return y;
}
template <int W, class I>  // float: through double, in registers of equal width, so rounded once
SinCos<Pack<W, float, I>> sin_cos(const Pack<W, float, I>& x) {
  constexpr int H = W < lanes_of<I, double> ? W : lanes_of<I, double>;
  SinCos<Pack<W, float, I>> y;
  for (int k = 0; k < W; k += H) {
    Pack<H, double, I> part;
    for (int h = 0; h < H; ++h) part.set(h, x[k + h]);
    const auto [s, c] = sin_cos(part);
    for (int h = 0; h < H; ++h) {
      y.sin.set(k + h, static_cast<float>(s[h]));
      y.cos.set(k + h, static_cast<float>(c[h]));
    }
  }
  return y;
}

// Few lanes have a large angle; they are reduced one by one.
template <int W, class R, class I>
bool any_beyond_plain(const Pack<W, R, I>& q) {
  const auto far = detail::abs_lanes<W>(q.lane) >
                   detail::broadcast<W, typename Pack<W, R, I>::Lanes>(plain_angle<R>);
  long any = 0;
  for (int k = 0; k < W; ++k) any |= static_cast<long>(detail::lane<W>(far, k));
  return any != 0;
}
template <int W, class R, class I>
Pack<W, R, I> angle_sum(const Pack<W, R, I>& q, const Pack<W, R, I>& offset) {
  Pack<W, R, I> sum = q + offset;
  if (any_beyond_plain(q)) [[unlikely]]
    for (int k = 0; k < W; ++k)
      if (offset[k] != 0 && std::abs(q[k]) > plain_angle<R>)
        sum.set(k, static_cast<R>(reduced_angle(1, q[k], offset[k])));
  return sum;
}
template <int W, class R, class I>
Pack<W, R, I> mimic_angle(const Pack<W, R, I>& q, double scale, double offset) {
  const Pack<W, R, I> turned = Pack<W, R, I>(scale) * q;
  Pack<W, R, I> sum = turned + Pack<W, R, I>(offset);
  if (any_beyond_plain(turned)) [[unlikely]]
    for (int k = 0; k < W; ++k)
      if (std::abs(turned[k]) > plain_angle<R>)
        sum.set(k, static_cast<R>(reduced_angle(scale, q[k], offset)));
  return sum;
}

// One sample does not fill the lanes, but its links do. Four doubles at a time even if eight
// fit: while 512-bit instructions execute, half of the ports that the serial sweeps need are
// closed.
template <class R, class I>
struct PackedLinks<Pack<1, R, I>> {
  static constexpr int bytes = I::bytes < 32 ? I::bytes : 32;
  static constexpr int links = bytes / static_cast<int>(sizeof(R));
  using type = Pack<links, R, I>;
  static type load(const Pack<1, R, I>* p) {
    type x;
    __builtin_memcpy(&x.lane, &p->lane, sizeof x.lane);
    return x;
  }
  static void store(Pack<1, R, I>* p, const type& x) {
    __builtin_memcpy(&p->lane, &x.lane, sizeof x.lane);
  }
};

}  // namespace parid::scalar
