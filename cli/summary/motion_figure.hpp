// A motion, and the torques it takes, as panels of a figure.

#pragma once

#include <vector>

#include "cli/layer.hpp"
#include "cli/output/plot.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::cli {

// Positions, velocities and torques of at most eight coordinates; of more, torques alone, in
// several panels. What turns and what slides stand apart, each with its unit. Without `tau`,
// accelerations.
Figure motion_figure(const Robot&, const SampledTrajectory&, const std::vector<double>* tau);

// What bearings and drives take of the torques, as panels of their own below, and in the title.
void add_friction(Figure&, const Robot&, const std::vector<double>& bearing,
                  const std::vector<double>& drive);

}  // namespace parid::cli
