// A number with its N partial derivatives:  a + Σ dᵢ εᵢ,  where εᵢ εⱼ = 0.
//
//   (a + u)(b + v) = ab + (av + bu)          the product of perturbations vanishes
//   f(a + u)       = f(a) + f'(a) u          the chain rule

#pragma once

#include <array>

#include "scalar/angle.hpp"
#include "scalar/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::scalar {

template <int N, Scalar Real = double>
struct Dual {
  Real value{0.0};
  std::array<Real, N> d{};

  Dual() = default;
  explicit Dual(double v) : value(v) {}
  static Dual variable(double v, int i) {
    Dual x(v);
    x.d[i] = Real(1.0);
    return x;
  }
};

namespace detail {
template <int N, class R>  // value v and gradient p·a.d
Dual<N, R> chain(R v, R p, const Dual<N, R>& a) {
  Dual<N, R> r;
  r.value = v;
  for (int i = 0; i < N; ++i) r.d[i] = p * a.d[i];
  return r;
}
template <int N, class R>  // value v and gradient p·a.d + q·b.d
Dual<N, R> chain(R v, R p, const Dual<N, R>& a, R q, const Dual<N, R>& b) {
  Dual<N, R> r;
  r.value = v;
  for (int i = 0; i < N; ++i) r.d[i] = p * a.d[i] + q * b.d[i];
  return r;
}
}  // namespace detail

template <int N, class R>
Dual<N, R> operator+(const Dual<N, R>& a, const Dual<N, R>& b) {
  return detail::chain(a.value + b.value, R(1.0), a, R(1.0), b);
}
template <int N, class R>
Dual<N, R> operator-(const Dual<N, R>& a, const Dual<N, R>& b) {
  return detail::chain(a.value - b.value, R(1.0), a, R(-1.0), b);
}
template <int N, class R>
Dual<N, R> operator*(const Dual<N, R>& a, const Dual<N, R>& b) {
  return detail::chain(a.value * b.value, b.value, a, a.value, b);
}
template <int N, class R>
Dual<N, R> operator/(const Dual<N, R>& a, const Dual<N, R>& b) {
  const R inverse = R(1.0) / b.value, ratio = a.value * inverse;
  return detail::chain(ratio, inverse, a, -(ratio * inverse), b);
}
template <int N, class R>
Dual<N, R> operator-(const Dual<N, R>& a) {
  return detail::chain(-a.value, R(-1.0), a);
}
template <int N, class R>
auto operator<(const Dual<N, R>& a, const Dual<N, R>& b) {
  return a.value < b.value;
}

template <class Mask, int N, class R>
Dual<N, R> select(Mask mask, const Dual<N, R>& a, const Dual<N, R>& b) {
  Dual<N, R> r;
  r.value = select(mask, a.value, b.value);
  for (int i = 0; i < N; ++i) r.d[i] = select(mask, a.d[i], b.d[i]);
  return r;
}
template <int N, class R>
Dual<N, R> abs(const Dual<N, R>& a) {
  return select(a.value < R(0.0), -a, a);
}
template <int N, class R>
Dual<N, R> sqrt(const Dual<N, R>& a) {
  const R root = sqrt(a.value);
  return detail::chain(root, R(0.5) / root, a);
}
template <int N, class R>
Dual<N, R> atan2(const Dual<N, R>& y, const Dual<N, R>& x) {
  const R inverse = R(1.0) / (x.value * x.value + y.value * y.value);
  return detail::chain(atan2(y.value, x.value), x.value * inverse, y, -(y.value * inverse), x);
}
template <int N, class R>
SinCos<Dual<N, R>> sin_cos(const Dual<N, R>& x) {
  const auto [s, c] = sin_cos(x.value);
  return {detail::chain(s, c, x), detail::chain(c, -s, x)};
}
template <int N, class R>
Dual<N, R> angle_sum(const Dual<N, R>& q, const Dual<N, R>& offset) {
  return detail::chain(angle_sum(q.value, offset.value), R(1.0), q, R(1.0), offset);
}
template <int N, class R>
Dual<N, R> mimic_angle(const Dual<N, R>& q, double scale, double offset) {
  return detail::chain(mimic_angle(q.value, scale, offset), R(scale), q);
}

}  // namespace parid::scalar
