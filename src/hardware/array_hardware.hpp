// A robot on one of Lathrop's arrays: its states in the array's input format, and streams of
// states.

#pragma once

#include "hardware/array/systolic.hpp"
#include "hardware/layer.hpp"
#include "parid/robot.hpp"

namespace parid::hardware {

// Which joints are prismatic, from the base. Throws parid::Error unless the robot is one chain of
// revolute and prismatic joints on a fixed base.
std::vector<bool> check_array_scope(const Robot&);

// A random state of the robot's mechanism in the order of the array's inputs, with the torques of
// serial Newton-Euler, joint by joint from the base.
struct ArrayState {
  std::vector<VectorWord> words;
  std::vector<double> torque;
};
std::vector<ArrayState> array_states(const Robot&, ArrayKind, int count, unsigned seed);

// Sends a state through the array every `interval` clocks. Returns the largest difference from
// serial Newton-Euler, relative to the largest torque of the state.
double stream_error(const Robot&, const SystolicArray&, const Staging&, int interval,
                    int states = 20, unsigned seed = 1);

}  // namespace parid::hardware
