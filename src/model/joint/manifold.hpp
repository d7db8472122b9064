// Integration and difference of positions: integrate(q, v) and difference(q0, q1), also for joints
// whose positions are not vectors.
//
// integrate returns the position after a unit of time with constant v: a screw motion for a
// floating joint. difference is its inverse: integrate(q0, difference(q0, q1)) = q1, by the shorter
// rotation. Quaternions are returned with unit length.

#pragma once

#include "model/joint/coordinates.hpp"
#include "model/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::model {

namespace detail {

template <class T>
struct Quaternion {
  Vec3<T> v;
  T w;
};
template <class T>
Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}
// Rotates by a quaternion of any length.
template <class T>
Vec3<T> turned(const Quaternion<T>& q, const Vec3<T>& x) {
  const Vec3<T> t = (T(2.0) / (dot(q.v, q.v) + q.w * q.w)) * cross(q.v, x);
  return x + q.w * t + cross(q.v, t);
}

// sin(x)/x, (1 − cos x)/x², (x − sin x)/x³ from x²; series for small x. No branch, and no root of
// zero, so that duals and packs work.
template <class T>
struct Sincs {
  T sine, cosine, third;
};
template <class T>
Sincs<T> sincs(const T& square) {
  const auto small = square < T(1e-3);
  const T x2 = select(small, T(1.0), square), x = sqrt(x2);
  const auto [s, c] = sin_cos(x);
  const T& y = square;
  auto series = [&](double a, double b, double d, double e, double f) {
    return T(a) - y * (T(b) - y * (T(d) - y * (T(e) - y * T(f))));
  };
  return {
      select(small, series(1.0, 1. / 6, 1. / 120, 1. / 5040, 1. / 362880), s / x),
      select(small, series(0.5, 1. / 24, 1. / 720, 1. / 40320, 1. / 3628800), (T(1.0) - c) / x2),
      select(small, series(1. / 6, 1. / 120, 1. / 5040, 1. / 362880, 1. / 39916800),
             (x - s) / (x * x2))};
}

// The quaternion of a rotation by the vector w.
template <class T>
Quaternion<T> turn(const Vec3<T>& w) {
  const Vec3<T> h = T(0.5) * w;
  const T square = dot(h, h);
  const auto small = square < T(1e-3);
  const T x2 = select(small, T(1.0), square);
  const T cosine = select(small, T(1.0) - square * sincs(square).cosine, sin_cos(sqrt(x2)).cos);
  return {sincs(square).sine * h, cosine};
}
// The rotation vector of a quaternion, at most half a turn.
template <class T>
Vec3<T> turn_vector(const Quaternion<T>& q) {
  const T sign = select(q.w < T(0.0), T(-1.0), T(1.0)), w = sign * q.w, square = dot(q.v, q.v);
  const auto small = square < T(1e-12) * (w * w + square);
  const T s = sqrt(select(small, T(1.0), square));
  // 2 atan2(s, w)/s; near the identity 2/w (1 − s²/3w²)
  const T factor =
      select(small, T(2.0) / w * (T(1.0) - square / (T(3.0) * w * w)), T(2.0) * atan2(s, w) / s);
  return (sign * factor) * q.v;
}

template <class T>
Quaternion<T> normal(const Quaternion<T>& q) {
  const T scale = T(1.0) / sqrt(dot(q.v, q.v) + q.w * q.w);
  return {scale * q.v, scale * q.w};
}
template <class T>
Quaternion<T> quaternion(const T* q) {
  return {{q[0], q[1], q[2]}, q[3]};
}
template <class T>
void put(const Quaternion<T>& x, T* q) {
  q[0] = x.v.x;
  q[1] = x.v.y;
  q[2] = x.v.z;
  q[3] = x.w;
}
// The displacement of a frame's origin, in the start frame, while it moves with v and turns by w.
template <class T>
Vec3<T> screw_path(const Vec3<T>& v, const Vec3<T>& w) {
  const Sincs<T> s = sincs(dot(w, w));
  const Vec3<T> across = cross(w, v);
  return v + s.cosine * across + s.third * cross(w, across);
}
// v such that screw_path(v, w) = p.
template <class T>
Vec3<T> screw_velocity(const Vec3<T>& p, const Vec3<T>& w) {
  // p − ½ w × p + (1 − ½ x cot ½x)/x² w × (w × p), and ½ cot ½x = ½ sin x/(1 − cos x)
  const T square = dot(w, w);
  const auto small = square < T(1e-3);
  const Sincs<T> s = sincs(square);
  const T x2 = select(small, T(1.0), square);
  const T series = T(1. / 12) + square * (T(1. / 720) + square * T(1. / 30240));
  const T k = select(small, series, (T(1.0) - T(0.5) * s.sine / s.cosine) / x2);
  const Vec3<T> across = cross(w, p);
  return p - T(0.5) * across + k * cross(w, across);
}

}  // namespace detail

// out may be q itself. Sizes: q and out nq, v nv.
template <class T>
void integrate(const Description& d, const T* q, const T* v, T* out) {
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const int nq = position_count(j.type), nv = velocity_count(j.type);
    if (nq == nv) {
      for (int k = 0; k < nv; ++k) out[k] = q[k] + v[k];
    } else {
      const int p = nq - 4;  // 3 for a floating joint
      const Vec3<T> w{v[p], v[p + 1], v[p + 2]};
      const auto from = detail::quaternion(q + p);
      if (p == 3) {
        const Vec3<T> path = detail::turned(from, detail::screw_path(Vec3<T>{v[0], v[1], v[2]}, w));
        out[0] = q[0] + path.x;
        out[1] = q[1] + path.y;
        out[2] = q[2] + path.z;
      }
      detail::put(detail::normal(from * detail::turn(w)), out + p);
    }
    q += nq;
    out += nq;
    v += nv;
  }
}

// v: nv numbers, such that integrate(q0, v) is q1.
template <class T>
void difference(const Description& d, const T* q0, const T* q1, T* v) {
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const int nq = position_count(j.type), nv = velocity_count(j.type);
    if (nq == nv) {
      for (int k = 0; k < nv; ++k) v[k] = q1[k] - q0[k];
    } else {
      const int p = nq - 4;
      const auto a = detail::quaternion(q0 + p), b = detail::quaternion(q1 + p);
      const detail::Quaternion<T> back{-a.v, a.w};
      const Vec3<T> w = detail::turn_vector(back * b);
      if (p == 3) {
        const Vec3<T> path =
            detail::turned(back, Vec3<T>{q1[0] - q0[0], q1[1] - q0[1], q1[2] - q0[2]});
        const Vec3<T> x = detail::screw_velocity(path, w);
        v[0] = x.x;
        v[1] = x.y;
        v[2] = x.z;
      }
      v[p] = w.x;
      v[p + 1] = w.y;
      v[p + 2] = w.z;
    }
    q0 += nq;
    q1 += nq;
    v += nv;
  }
}

}  // namespace parid::model
