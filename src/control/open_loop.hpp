// Torque errors caused by stale data alone, without feedback: the policy's torques compared with
// the torques of current data, along a motion that the robot follows exactly.
//
// A public header: no template, no type of another library.

#pragma once

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "motion/trajectory.hpp"

namespace parid::control {

struct TorqueErrors {
  std::vector<double> largest, rms;  // by coordinate, N m or N
  std::vector<double> scale;         // the largest torque of each
};
// Leaves out the first periods, in which the law still uses values of its start at rest.
TorqueErrors open_loop_errors(const Robot&, const Policy&, const Trajectory&, double period);

}  // namespace parid::control
