// The motion that is used if none is given.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// Minimum jerk from rest to rest between two poses within the limits: a quarter and three quarters
// of each joint's range (of half a turn or a metre about its middle, if the range is wider). Lasts
// two seconds, or longer if a velocity limit requires it. A floating base rises 0.1 m and turns 0.5
// rad. Mimic joints stay within their limits too.
TrajectoryPointer default_trajectory(const Robot&);
SampledTrajectory default_motion(const Robot&, std::size_t samples = 201);

// The same two poses: each joint in turn moves there and back while the others stay at the first
// pose.
TrajectoryPointer joints_in_turn(const Robot&);

}  // namespace parid::motion
