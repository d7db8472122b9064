// Motions in joint space: from one pose to the next, and through several.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// The straight way in the robot's coordinates, of length 1. Quaternions turn the shortest way, at a
// constant rate; a floating joint's origin goes straight meanwhile. Positions of continuous joints
// are taken as they are: a whole turn is a motion.
TrajectoryPointer joint_line(const Robot&, std::vector<double> from, std::vector<double> to);

// How fast each velocity coordinate goes along joint_line(from, to), per unit of length.
std::vector<double> joint_way(const Robot&, const std::vector<double>& from,
                              const std::vector<double>& to);

// Smooth through all poses, at rest at both ends; times[0] = 0, rising, one per pose.
//   minimum_jerk  quintic spline with four continuous derivatives: of all motions through these
//                 poses at these times the one with the least mean square jerk. At the ends no
//                 acceleration.
//   cubic         cubic spline: the same with acceleration; accelerations are continuous inside
// Between two poses they are the profiles of those names. Throws Error where a joint has a
// quaternion: its turns do not add up; stop at each pose instead.
enum class Smoothness { minimum_jerk, cubic };
TrajectoryPointer joint_spline(const Robot&, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, Smoothness);

// Straight from pose to pose at constant speeds, with blends of constant acceleration that last
// `blend` seconds: around the instant of each inner pose, which is cut short, and inside the first
// and last leg, whose end poses are reached at rest. Throws Error as joint_spline does, and where
// blends would overlap.
TrajectoryPointer joint_blends(const Robot&, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, double blend);

}  // namespace parid::motion
