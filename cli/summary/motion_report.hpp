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

// Positions, velocities and torques of at most eight coordinates; for more, only torques, in
// several panels. Revolute and prismatic freedoms are separate, each with its unit. Without `tau`,
// accelerations.
Figure motion_figure(const Robot&, const SampledTrajectory&, const std::vector<double>* tau);

// Bearing friction and drive losses as panels below, and in the title.
void add_friction(Figure&, const Robot&, const std::vector<double>& bearing,
                  const std::vector<double>& drive);

// ---- Limits that a motion exceeds, noted on standard error in the same form by all commands with
// a motion.

// One line each. With --within-limits, the line for a position explains why it is still exceeded.
void note(const std::vector<LimitBreak>&, const Robot&, const SampledTrajectory&,
          const MotionOptions&);

// ---- Advice on the sampling rate, as text and as JSON.

void check_sampling_options(const SamplingOptions&);
std::string said(const SamplingAdvice&, const SamplingOptions&);
Json json_of(const std::optional<SamplingAdvice>&, const SamplingOptions&);
Json json_of(const std::vector<LimitBreak>&);

}  // namespace parid::cli
