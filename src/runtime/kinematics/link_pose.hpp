// Converts between the plain arrays of the API and internal poses and vectors.

#pragma once

#include "math/pose.hpp"
#include "parid/kinematics.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

inline Vec3<double> vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
inline std::array<double, 3> array(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

inline LinkPose link_pose_of(const Pose<double>& A) {
  const auto& [r0, r1, r2] = A.R;
  return {array(A.p), {r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z}};
}
inline Pose<double> pose_of(const LinkPose& at) {
  const auto& r = at.rotation;
  return {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}, vector(at.position)};
}

}  // namespace parid::runtime
