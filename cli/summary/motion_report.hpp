// A motion: its figure, the limits that it breaks, and advice on its sampling rate.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/input/motion_options.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "motion/sampling_rate.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::cli {

// Positions, velocities and torques of at most eight coordinates; of more, torques alone, in
// several panels. What turns and what slides stand apart, each with its unit. Without `tau`,
// accelerations.
Figure motion_figure(const Robot&, const SampledTrajectory&, const std::vector<double>* tau);

// Bearing friction and drive losses as panels below, and in the title.
void add_friction(Figure&, const Robot&, const std::vector<double>& bearing,
                  const std::vector<double>& drive);

// ---- Limits that a motion breaks, noted on standard error: the same words wherever a command has
// a motion.

// One line each. Where --within-limits was asked for, a broken position says why it is still there.
void note(const std::vector<LimitBreak>&, const Robot&, const SampledTrajectory&,
          const MotionOptions&);

// ---- Advice on the sampling rate, as words and as JSON.

void check_sampling_options(const SamplingOptions&);
std::string said(const SamplingAdvice&, const SamplingOptions&);
Json json_of(const std::optional<SamplingAdvice>&, const SamplingOptions&);
Json json_of(const std::vector<LimitBreak>&);

}  // namespace parid::cli
