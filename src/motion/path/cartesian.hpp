// Motions of a link along a path in space: the joints follow by inverse kinematics, their
// velocities and accelerations exactly, from the Jacobian J and its rate:
//
//   v = J⁺ x',    a = J⁺ (x'' − J̇ v) + (I − J⁺ J) J̇ᵀ λ,    λ = J⁺ᵀ v
//
// where x' and x'' are the frame's velocity and acceleration. For an arm with more joints than the
// path requires this is, at every instant, the slowest motion of the joints (least |v|); the second
// term keeps it so. Joints with quaternions do not move.

#pragma once

#include <optional>

#include "motion/layer.hpp"
#include "motion/path/pose_path.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

struct CartesianOptions {
  // point of the link that follows the path, in the link's frame: its origin, or a tool's tip
  Vec3<double> point;
  bool orientation = true;  // false: only the point follows the path, the link may rotate freely
  double starts_at = 0;     // seconds, for messages
};

// Number of joint positions that such a trajectory stores.
inline constexpr int cartesian_knots = 257;

// The trajectory of a robot that is at q at the start of the path (the link's point must be there).
// Throws Error with the instant at which the path leaves the workspace, meets a singularity, or
// violates a joint's position limit.
TrajectoryPointer cartesian(const Robot&, const std::string& link, const PosePath&,
                            const std::vector<double>& q, const Profile&,
                            const CartesianOptions& = {});

}  // namespace parid::motion
