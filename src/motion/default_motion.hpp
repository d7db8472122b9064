// A motion for those who brought none.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// Minimum jerk from rest to rest between two poses inside the limits: a quarter and three quarters
// of each joint's range (of a half turn or a metre about its middle, where the range is wider).
// Lasts two seconds, or longer where a velocity limit asks for it. A floating base rises 0.1 m and
// turns 0.5 rad. Followers stay inside their limits too.
TrajectoryPointer default_trajectory(const Robot&);
SampledTrajectory default_motion(const Robot&, std::size_t samples = 201);

// The same two poses, each joint on its own there and back, one after the other; at the first pose
// otherwise.
TrajectoryPointer joints_in_turn(const Robot&);

}  // namespace parid::motion
