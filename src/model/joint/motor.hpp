// The ratings of a joint's motor, at its shaft, before the gears. Limits alone: they have no effect
// on any torque.

#pragma once

#include <limits>

#include "model/layer.hpp"

namespace parid::model {

struct Motor {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double torque = none;             // peak, N m
  double continuous_torque = none;  // RMS over a duty cycle, N m
  double speed = none;              // rad/s
  double power = none;              // mechanical, W
};

}  // namespace parid::model
