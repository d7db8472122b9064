// A number that changes with time: the first N + 1 coefficients of its Taylor series,
//
//   x(t) = c0 + c1 t + c2 t² + … + cN t^N,      ck = (k-th derivative) / k!
//
// Running a formulation on series of q, q̇ and q̈ gives the series of the torques: τ, τ̇, τ̈, … along
// the motion, exactly, in one sweep.
//
//   (x y)_k = Σ x_j y_(k−j)          and from y² = x, s' = c x', c' = −s x' the rules of sqrt, sin
//                                    and cos, coefficient by coefficient

#pragma once

#include <array>

#include "scalar/angle.hpp"
#include "scalar/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::scalar {

template <int N, Scalar Real = double>
struct Taylor {
  std::array<Real, N + 1> c{};

  Taylor() = default;
  explicit Taylor(double x) { c[0] = Real(x); }

  // The series of a number with these derivatives, from the number itself on.
  static Taylor of_derivatives(const std::array<Real, N + 1>& d) {
    Taylor x;
    double factorial = 1;
    for (int k = 0; k <= N; ++k) {
      if (k > 1) factorial *= k;
      x.c[k] = d[k] * Real(1 / factorial);
    }
    return x;
  }
  Real derivative(int k) const {
    double factorial = 1;
    for (int j = 2; j <= k; ++j) factorial *= j;
    return c[k] * Real(factorial);
  }
};

template <int N, class R>
Taylor<N, R> operator+(const Taylor<N, R>& a, const Taylor<N, R>& b) {
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) r.c[k] = a.c[k] + b.c[k];
  return r;
}
template <int N, class R>
Taylor<N, R> operator-(const Taylor<N, R>& a, const Taylor<N, R>& b) {
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) r.c[k] = a.c[k] - b.c[k];
  return r;
}
template <int N, class R>
Taylor<N, R> operator-(const Taylor<N, R>& a) {
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) r.c[k] = -a.c[k];
  return r;
}
template <int N, class R>
Taylor<N, R> operator*(const Taylor<N, R>& a, const Taylor<N, R>& b) {
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) {
    r.c[k] = a.c[0] * b.c[k];
    for (int j = 1; j <= k; ++j) r.c[k] = r.c[k] + a.c[j] * b.c[k - j];
  }
  return r;
}
template <int N, class R>
Taylor<N, R> operator/(const Taylor<N, R>& a, const Taylor<N, R>& b) {  // from r b = a
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) {
    R rest = a.c[k];
    for (int j = 1; j <= k; ++j) rest = rest - b.c[j] * r.c[k - j];
    r.c[k] = rest / b.c[0];
  }
  return r;
}
template <int N, class R>
auto operator<(const Taylor<N, R>& a, const Taylor<N, R>& b) {
  return a.c[0] < b.c[0];
}

template <class Mask, int N, class R>
Taylor<N, R> select(Mask mask, const Taylor<N, R>& a, const Taylor<N, R>& b) {
  Taylor<N, R> r;
  for (int k = 0; k <= N; ++k) r.c[k] = select(mask, a.c[k], b.c[k]);
  return r;
}
template <int N, class R>
Taylor<N, R> abs(const Taylor<N, R>& a) {
  return select(a.c[0] < R(0.0), -a, a);
}
template <int N, class R>
Taylor<N, R> sqrt(const Taylor<N, R>& a) {
  Taylor<N, R> r;
  r.c[0] = sqrt(a.c[0]);
  for (int k = 1; k <= N; ++k) {
    R rest = a.c[k];
    for (int j = 1; j < k; ++j) rest = rest - r.c[j] * r.c[k - j];
    r.c[k] = rest / (R(2.0) * r.c[0]);
  }
  return r;
}
template <int N, class R>
Taylor<N, R> atan2(const Taylor<N, R>& y, const Taylor<N, R>& x) {  // θ' = (x y' − y x')/(x² + y²)
  const Taylor<N, R> square = x * x + y * y;
  Taylor<N, R> r;
  r.c[0] = atan2(y.c[0], x.c[0]);
  std::array<R, N + 1> rate{};
  for (int k = 0; k < N; ++k) {
    R rest(0.0);
    for (int j = 0; j <= k; ++j)
      rest = rest + R(k - j + 1.0) * (x.c[j] * y.c[k - j + 1] - y.c[j] * x.c[k - j + 1]);
    for (int j = 1; j <= k; ++j) rest = rest - square.c[j] * rate[k - j];
    rate[k] = rest / square.c[0];
    r.c[k + 1] = rate[k] * R(1.0 / (k + 1));
  }
  return r;
}
template <int N, class R>
SinCos<Taylor<N, R>> sin_cos(const Taylor<N, R>& x) {
  SinCos<Taylor<N, R>> r;
  const auto [s, c] = sin_cos(x.c[0]);
  r.sin.c[0] = s;
  r.cos.c[0] = c;
  for (int k = 1; k <= N; ++k) {
    R sine(0.0), cosine(0.0);
    for (int j = 1; j <= k; ++j) {
      const R rate = R(static_cast<double>(j) / k) * x.c[j];
      sine = sine + rate * r.cos.c[k - j];
      cosine = cosine - rate * r.sin.c[k - j];
    }
    r.sin.c[k] = sine;
    r.cos.c[k] = cosine;
  }
  return r;
}
template <int N, class R>
Taylor<N, R> angle_sum(const Taylor<N, R>& q, const Taylor<N, R>& offset) {
  Taylor<N, R> r = q + offset;
  r.c[0] = angle_sum(q.c[0], offset.c[0]);
  return r;
}
template <int N, class R>
Taylor<N, R> mimic_angle(const Taylor<N, R>& q, double scale, double offset) {
  Taylor<N, R> r = Taylor<N, R>(scale) * q;
  r.c[0] = mimic_angle(q.c[0], scale, offset);
  return r;
}

}  // namespace parid::scalar
