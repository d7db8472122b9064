// A motion for those who brought none.

#pragma once

#include "parid/motion/trajectory.hpp"

namespace parid {

// Minimum jerk from rest to rest between two poses inside the limits: a quarter and three quarters of
// each joint's range (of a half turn or a metre about its middle, where the range is wider). Lasts two
// seconds, or longer where a velocity limit asks for it. A floating base rises 0.1 m and turns 0.5 rad.
// Followers stay inside their limits too.
Trajectory default_motion(const Robot&, std::size_t samples = 201);

}  // namespace parid
