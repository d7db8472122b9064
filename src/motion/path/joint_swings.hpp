// A motion in joint space in which each coordinate swings in its own way, so that no two curves of
// a plot coincide.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// middle + amplitude · sin(π half_swings s + phase) along a path of length 1.
struct JointSwing {
  double middle = 0, amplitude = 0;   // rad or m
  double half_swings = 1, phase = 0;  // phase in rad
  double at(double s) const;
  double rate(double s) const;  // per unit of s
  double fastest() const;       // a bound of the rate
};

// The k-th of a sequence of swings. Half swings and phases follow irrational multiples of k (the
// fractional parts of k/φ and k/ρ with the golden and the plastic number), which keeps any number
// of them apart. Half swings are 0.75 to 1.5; what swings more goes less far, so the fastest rate
// is at most π · half_range. The 0-th goes once from one end of its range to the other.
JointSwing distinct_swing(int k, double middle, double half_range);

// As above, but at 0 for s = 0.
JointSwing distinct_swing_from_zero(int k, double half_range);

// One joint's share of the path: one swing for each velocity coordinate. Those of a rotation are
// the last three: angles about x, then about the turned y, then about the turned z.
struct JointSwings {
  int position = 0, velocity = 0;  // of its first coordinates
  bool turns = false;              // the joint has a quaternion
  std::vector<JointSwing> swings;
};

// The path of length 1 of all joints together.
TrajectoryPointer joint_swings(std::vector<JointSwings>);

}  // namespace parid::motion
