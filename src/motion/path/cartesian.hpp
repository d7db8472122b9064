// Motions of a link through space: the joints follow by inverse kinematics, their velocities and
// accelerations exactly, from the Jacobian J and its rate:
//
//   v = J⁺ x',    a = J⁺ (x'' − J̇ v) + (I − J⁺ J) J̇ᵀ λ,    λ = J⁺ᵀ v
//
// where x' and x'' are the frame's velocity and acceleration. For an arm with more joints than the
// way asks for this is, at every instant, the slowest motion of the joints (least |v|); the second
// term is what keeps it that. Joints with quaternions hold still.

#pragma once

#include <optional>

#include "motion/layer.hpp"
#include "motion/path/pose_path.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

struct CartesianOptions {
  Vec3<double> point;  // that goes along the path, in the link's frame: its origin, or a tool's tip
  bool orientation = true;  // false: only the point's way matters, and the link may turn as it will
  double starts_at = 0;     // seconds, for messages
};

// Sets of joint positions that one such course keeps.
inline constexpr int cartesian_knots = 257;

// The course of a robot that is at q where the path starts (the link's point must be there). Throws
// Error with the instant where the path leaves the workspace, meets a singularity, or breaks a
// joint's position limit.
TrajectoryPointer cartesian(const Robot&, const std::string& link, const PosePath&,
                            const std::vector<double>& q, const Profile&,
                            const CartesianOptions& = {});

}  // namespace parid::motion
