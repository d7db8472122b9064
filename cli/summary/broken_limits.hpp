// Limits that a motion breaks, noted on standard error: the same words wherever a command has a
// motion.

#pragma once

#include <vector>

#include "cli/input/motion_options.hpp"
#include "cli/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::cli {

// One line each. Where --within-limits was asked for, a broken position says why it is still there.
void note(const std::vector<LimitBreak>&, const SampledTrajectory&, const MotionOptions&);

}  // namespace parid::cli
