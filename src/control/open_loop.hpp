// What stale data cost in torque, apart from what a controller makes of it: along a motion that the
// robot follows exactly, the policy's torques against those of now.
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
// The first periods, while a law that starts as if the robot had stood forgets that, do not count.
TorqueErrors open_loop_errors(const Robot&, const Policy&, const Trajectory&, double period);

}  // namespace parid::control
