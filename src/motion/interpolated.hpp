// Interpolates a sampled motion: positions by cubics with the samples' velocities, velocities and
// accelerations linearly.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// Time 0 is the first sample's instant. Throws Error for a motion without times.
TrajectoryPointer interpolated(const Robot&, const SampledTrajectory&);

}  // namespace parid::motion
