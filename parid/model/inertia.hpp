// Mass, centre of mass and inertia of a rigid body, and the same as ten numbers that add up.

#pragma once

#include "parid/math/pose.hpp"

namespace parid {

// As people give it: everything in the link's frame, the tensor about the centre of mass.
// Products of inertia are tensor entries: xy = -∫xy dm.
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
// ∫ r rᵀ dm from ∫ (r·r 1 − r rᵀ) dm, and back: both halves of  tr(J) = 2 tr(K).
inline Sym3<double> second_moments(const Sym3<double>& J) {
  const double h = (J.xx + J.yy + J.zz) / 2;
  return {h - J.xx, h - J.yy, h - J.zz, -J.xy, -J.xz, -J.yz};
}
inline Sym3<double> tensor(const Sym3<double>& K) {
  return {K.yy + K.zz, K.xx + K.zz, K.xx + K.yy, -K.xy, -K.xz, -K.yz};
}

inline Moments<double> moments(const Inertia& i) {
  const Vec3<double> s = i.com;
  const Sym3<double> K = second_moments(i.about_com);
  const double m = i.mass;
  return {m, m * s, {K.xx + m * s.x * s.x, K.yy + m * s.y * s.y, K.zz + m * s.z * s.z,
                     K.xy + m * s.x * s.y, K.xz + m * s.x * s.z, K.yz + m * s.y * s.z}};
}
inline Moments<double> operator+(const Moments<double>& a, const Moments<double>& b) {
  return {a.m + b.m, a.ms + b.ms, {a.K.xx + b.K.xx, a.K.yy + b.K.yy, a.K.zz + b.K.zz,
                                   a.K.xy + b.K.xy, a.K.xz + b.K.xz, a.K.yz + b.K.yz}};
}
// The same body seen from the frame in which its own frame stands at A.
inline Inertia moved(const Pose<double>& A, const Inertia& i) {
  return {i.mass, A * i.com, symmetric(A.R * full(i.about_com) * transposed(A.R))};
}

}  // namespace parid
