// A sampled motion between its samples: positions by cubics that have the samples' velocities,
// velocities and accelerations straight from one to the next.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// Its time starts at the first sample's instant. Throws Error for a motion without instants.
TrajectoryPointer interpolated(const Robot&, const SampledTrajectory&);

}  // namespace parid::motion
