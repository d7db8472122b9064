// Whether the samples of a log are evenly spaced, as filters need them.

#pragma once

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

// Samples per second. Throws Error, at the sample, if times are missing or a step differs from the
// others by more than 1 %.
double even_rate(const SampledTrajectory&);

}  // namespace parid::motion
