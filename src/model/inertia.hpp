// Mass, centre of mass and inertia of a rigid body, and the same as ten additive numbers.

#pragma once

#include "math/pose.hpp"
#include "model/layer.hpp"

namespace parid::model {

// As users give it: everything in the link's frame, the tensor about the centre of mass. Products
// of inertia are tensor entries: xy = -∫xy dm.
struct Inertia {
  double mass = 0;
  Vec3<double> com;
  Sym3<double> about_com;
};

// As sweeps read it: the moments ∫dm, ∫r dm, ∫r rᵀ dm about the frame's origin (Uicker's
// pseudo-inertia matrix). Bodies merge by adding them.
template <class T>
struct Moments {
  T m{0.0};
  Vec3<T> ms;
  Sym3<T> K;
};

inline Mat3<double> full(const Sym3<double>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
inline Sym3<double> operator+(const Sym3<double>& a, const Sym3<double>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
// ∫ (r·r 1 − r rᵀ) dm of a mass m at r.
inline Sym3<double> point_inertia(double m, const Vec3<double>& r) {
  return {m * (r.y * r.y + r.z * r.z),
          m * (r.x * r.x + r.z * r.z),
          m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,
          -m * r.x * r.z,
          -m * r.y * r.z};
}
// ∫ r rᵀ dm from ∫ (r·r 1 − r rᵀ) dm, and back: both halves of  tr(J) = 2 tr(K).
inline Sym3<double> second_moments(const Sym3<double>& J) {
  const double h = (J.xx + J.yy + J.zz) / 2;
  return {h - J.xx, h - J.yy, h - J.zz, -J.xy, -J.xz, -J.yz};
}
inline Sym3<double> tensor(const Sym3<double>& K) {
  return {K.yy + K.zz, K.xx + K.zz, K.xx + K.yy, -K.xy, -K.xz, -K.yz};
}

inline Moments<double> moments(const Inertia& i) {
  return {i.mass, i.mass * i.com, second_moments(i.about_com + point_inertia(i.mass, i.com))};
}
inline Moments<double> operator+(const Moments<double>& a, const Moments<double>& b) {
  return {a.m + b.m, a.ms + b.ms, a.K + b.K};
}
// Merges two bodies, given in one frame.
inline Inertia together(const Inertia& a, const Inertia& b) {
  if (b.mass == 0 && a.mass > 0) return {a.mass, a.com, a.about_com + b.about_com};
  if (a.mass == 0 && b.mass > 0) return {b.mass, b.com, a.about_com + b.about_com};
  const double m = a.mass + b.mass;
  if (m == 0) return {0, {}, a.about_com + b.about_com};
  const Vec3<double> c = (a.mass / m) * a.com + (b.mass / m) * b.com;
  return {m, c,
          a.about_com + point_inertia(a.mass, a.com - c) + b.about_com +
              point_inertia(b.mass, b.com - c)};
}
// The same body in the frame in which its own frame has the pose A.
inline Inertia moved(const Pose<double>& A, const Inertia& i) {
  return {i.mass, A * i.com, symmetric(A.R * full(i.about_com) * transposed(A.R))};
}

}  // namespace parid::model
