// The last three angles of an arm whose last three axes meet in a point, each perpendicular to
// the next: shared by the PUMA and the Stanford arm.
//
// Symbols  n o a    columns of the target rotation, in the frame that the first three joints leave:
//                   axis 4 is its z
//          wrist    ±1: of the two ways to point along a, the one with sin θ5 of this sign
// If a is along axis 4, θ4 is arbitrary, the value of atan2(0, 0); the angles are still
// correct.

#pragma once

#include "kinematics/layer.hpp"
#include "math/mat3.hpp"

namespace parid::kinematics {

// A vector of frame 0 in the base frame of the wrist: after a rotation by `waist` about the
// vertical axis 1 and by `tilt` about the horizontal axis 2.
template <Scalar T>
Vec3<T> in_forearm(const SinCos<T>& waist, const SinCos<T>& tilt, const Vec3<T>& v) {
  const T along = waist.cos * v.x + waist.sin * v.y, across = waist.cos * v.y - waist.sin * v.x;
  return {tilt.cos * along - tilt.sin * v.z, across, tilt.sin * along + tilt.cos * v.z};
}

template <Scalar T>
struct WristAngles {
  T q4, q5, q6;
};

template <Scalar T>
WristAngles<T> spherical_wrist(const Vec3<T>& o, const Vec3<T>& a, const T& wrist) {
  const T q4 = atan2(wrist * a.y, wrist * a.x);
  const auto [s4, c4] = sin_cos(q4);
  const T q5 = atan2(c4 * a.x + s4 * a.y, a.z);
  const auto [s5, c5] = sin_cos(q5);
  const T q6 = atan2(s5 * o.z - c5 * (c4 * o.x + s4 * o.y), c4 * o.y - s4 * o.x);
  return {q4, q5, q6};
}

}  // namespace parid::kinematics
