// Which limits a re-timed motion reaches. Private to time scaling.

#pragma once

#include "parid/model/description.hpp"
#include "parid/motion/time_scaling.hpp"

namespace parid {

// Speed limits of each velocity coordinate, those of its followers counted; and torque limits.
struct DriveLimits {
  std::vector<double> velocity, effort;
};
DriveLimits drive_limits(const Robot&);

std::vector<TimeScaling::Binding> binding_limits(const Robot&, const Trajectory&,
                                                 const std::vector<double>& tau);

// "sample 7 (t = 0.3 s)", or the line of the motion's file.
std::string said_of_row(const Trajectory&, std::size_t row);

}  // namespace parid
