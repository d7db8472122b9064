// The motion that is used if none is given.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// From rest to rest with minimum jerk, each joint in its own way: it swings 0.75 to 1.5 half
// periods about the middle of its range, with an amplitude of at most a quarter of that range (of
// half a turn or a metre about its middle, if the range is wider) and a phase of its own, so that
// no two curves of a plot coincide. Lasts two seconds, or longer if a velocity limit requires it. A
// floating base shifts by up to 0.1 m along each axis and turns by up to 0.3 rad about each. Mimic
// joints stay within their limits too.
TrajectoryPointer default_trajectory(const Robot&);
SampledTrajectory default_motion(const Robot&, std::size_t samples = 201);

// Two poses within the limits: a quarter and three quarters of each joint's range, as above. A
// floating base rises 0.1 m and turns by 0.5 rad.
struct TwoPoses {
  std::vector<double> from, to;
};
TwoPoses two_poses(const Robot&);

// All joints alike from the first pose to the second, with minimum jerk.
TrajectoryPointer joints_together(const Robot&);

// Each joint in turn moves to its second position and back while the others stay at the first pose.
TrajectoryPointer joints_in_turn(const Robot&);

}  // namespace parid::motion
