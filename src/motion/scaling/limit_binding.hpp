// The limits that a re-timed motion reaches. Private to time scaling.

#pragma once

#include "model/description.hpp"
#include "motion/layer.hpp"
#include "motion/scaling/time_scaling.hpp"

namespace parid::motion {

// Speed limits of each velocity coordinate, including those of its mimic joints; and torque limits.
struct DriveLimits {
  std::vector<double> velocity, effort;
};
DriveLimits drive_limits(const Robot&);

std::vector<TimeScaling::Binding> binding_limits(const Robot&, const SampledTrajectory&,
                                                 const std::vector<double>& tau);

// "sample 7 (t = 0.3 s)", or the line of the motion's file.
std::string said_of_row(const SampledTrajectory&, std::size_t row);

}  // namespace parid::motion
