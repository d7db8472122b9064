// Mass, centre of mass and inertia of a rigid body, and the same as ten numbers that add up.

#pragma once

#include "parid/math/pose.hpp"

namespace parid {

// As people give it: everything in the link's frame, the tensor about the centre of mass.
struct Inertia {
  double mass = 0;
  Vec3<double> com;
  Sym3<double> about_com;
};

// As sweeps read it: about the origin of the frame, linear in every entry, so that bodies merge by
// addition. Products of inertia are tensor entries: xy = -∫xy dm.
template <class T>
struct Moments {
  T m{0.0};
  Vec3<T> ms;  // ∫ r dm
  Sym3<T> J;   // ∫ (r·r 1 - r rᵀ) dm
};

inline Sym3<double> operator+(const Sym3<double>& a, const Sym3<double>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
inline Mat3<double> full(const Sym3<double>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
// ∫ (r·r 1 - r rᵀ) dm of a mass m at r.
inline Sym3<double> point_inertia(double m, const Vec3<double>& r) {
  return {m * (r.y * r.y + r.z * r.z), m * (r.x * r.x + r.z * r.z), m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,              -m * r.x * r.z,              -m * r.y * r.z};
}
inline Moments<double> moments(const Inertia& i) {
  return {i.mass, i.mass * i.com, i.about_com + point_inertia(i.mass, i.com)};
}
inline Moments<double> operator+(const Moments<double>& a, const Moments<double>& b) {
  return {a.m + b.m, a.ms + b.ms, a.J + b.J};
}
// The same body seen from the frame in which its own frame stands at A.
inline Inertia moved(const Pose<double>& A, const Inertia& i) {
  return {i.mass, A * i.com, symmetric(A.R * full(i.about_com) * transposed(A.R))};
}
template <class T>
Moments<T> to(const Moments<double>& a) {
  return {T(a.m), to<T>(a.ms), to<T>(a.J)};
}

}  // namespace parid
