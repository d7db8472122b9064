#include "runtime/kinematics/link_pose.hpp"

#include <cmath>

#include "model/frame.hpp"
#include "model/joint/quaternions.hpp"
#include "parid/error.hpp"

namespace parid {
using namespace runtime;

// The largest of the four is computed from the diagonal and divides the others, which avoids
// cancellation.
std::array<double, 4> LinkPose::quaternion() const {
  const auto& r = rotation;
  const double t[4] = {1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8],
                       1 + r[0] + r[4] + r[8]};  // 4 x², 4 y², 4 z², 4 w²
  const double wx = r[7] - r[5], wy = r[2] - r[6], wz = r[3] - r[1];
  const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
  std::array<double, 4> q;
  if (t[3] >= t[0] && t[3] >= t[1] && t[3] >= t[2])
    q = {wx, wy, wz, t[3]};
  else if (t[0] >= t[1] && t[0] >= t[2])
    q = {t[0], xy, xz, wx};
  else if (t[1] >= t[2])
    q = {xy, t[1], yz, wy};
  else
    q = {xz, yz, t[2], wz};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double scale = q[3] < 0 ? -1 / length : 1 / length;
  for (double& x : q) x *= scale;
  return q;
}

LinkPose LinkPose::from_quaternion(const std::array<double, 3>& position,
                                   const std::array<double, 4>& q) {
  const double length = quaternion_length(q.data());
  if (!has_direction(length))
    throw Error("the quaternion of a pose is zero; give x,y,z,w such as 0,0,0,1");
  return link_pose_of(
      {rotation_of(q[0] / length, q[1] / length, q[2] / length, q[3] / length), vector(position)});
}

LinkPose LinkPose::from_rpy(const std::array<double, 3>& position,
                            const std::array<double, 3>& rpy) {
  return link_pose_of({rotation_rpy(vector(rpy)), vector(position)});
}

}  // namespace parid
