// Motions in joint space: between two poses, and through several.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// The straight path in the robot's coordinates, of length 1. Quaternions take the shortest rotation
// at a constant rate, while a floating joint's origin moves along a line. Positions of continuous
// joints are used as they are: a whole turn is a motion.
TrajectoryPointer joint_line(const Robot&, std::vector<double> from, std::vector<double> to);

// Rate of each velocity coordinate along joint_line(from, to), per unit of length.
std::vector<double> joint_way(const Robot&, const std::vector<double>& from,
                              const std::vector<double>& to);

// A smooth motion through all poses, at rest at both ends; times[0] = 0, ascending, one per pose.
//   minimum_jerk  quintic spline with four continuous derivatives: of all motions through these
//                 poses at these times the one with the least mean square jerk. No acceleration at
//                 the ends.
//   cubic         cubic spline: the same for acceleration; accelerations are continuous inside
// Between two poses they are the profiles of those names. Throws Error if a joint has a quaternion,
// because rotations do not add; stop at each pose instead.
enum class Smoothness { minimum_jerk, cubic };
TrajectoryPointer joint_spline(const Robot&, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, Smoothness);

// Straight from pose to pose at constant speeds, with blends of constant acceleration that last
// `blend` seconds: around the instant of each inner pose, which the motion passes nearby, and
// inside the first and last leg, whose end poses are reached at rest. Throws Error as joint_spline
// does, and if blends would overlap.
TrajectoryPointer joint_blends(const Robot&, const std::vector<std::vector<double>>& poses,
                               const std::vector<double>& times, double blend);

}  // namespace parid::motion
