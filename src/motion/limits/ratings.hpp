// The torque, speed and power limits of one joint and of its motor, as the robot file gives them.
//
// Private to motion/limits.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/description.hpp"
#include "motion/layer.hpp"

namespace parid::motion {

struct Ratings {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double effort = none, continuous_effort = none, velocity = none;  // at the joint
  double ratio = 1;                                                 // motor turns per joint turn
  bool has_motor = false;
  double motor_torque = none, motor_continuous_torque = none;  // at the shaft
  double motor_speed = none, motor_power = none;

  // The largest torque at the joint that every limit of its kind allows.
  double peak_at_joint() const { return std::min(effort, ratio * motor_torque); }
  double continuous_at_joint() const {
    return std::min(continuous_effort, ratio * motor_continuous_torque);
  }
};

Ratings ratings_of(const JointDescription&);

// The velocity coordinates of a robot in its order, and where each joint's coordinates begin.
struct LimitedCoordinate {
  std::string name;
  std::size_t joint = 0;         // of the description
  int velocity = 0;              // column
  int position = -1;             // column; -1: part of a quaternion
  double scale = 1, offset = 0;  // of a mimic joint: value = scale · leader + offset
  std::string mimics;            // its leader; empty: none
  bool slides = false, actuated = true;
};
// Those of Robot::velocity_names(), then those of mimic joints.
std::vector<LimitedCoordinate> limited_coordinates(const Robot&);

// Weights of samples in a mean over time: their sum is 1. Equal without instants.
std::vector<double> time_weights(const SampledTrajectory&);

// Torques by the Engine.
std::vector<double> torques_of(const Robot&, const SampledTrajectory&, bool friction, int threads);

}  // namespace parid::motion
