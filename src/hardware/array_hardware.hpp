// A robot on one of Lathrop's arrays: its states as the array reads them, and streams through it.

#pragma once

#include "hardware/array/systolic.hpp"
#include "hardware/layer.hpp"
#include "parid/robot.hpp"

namespace parid::hardware {

// Which of its joints slide, from the base. Throws parid::Error unless the robot is one chain of
// revolute and prismatic joints on a base that stands still.
std::vector<bool> check_array_scope(const Robot&);

// A random state of the robot's mechanism in the order of the array's inputs, with the torques that
// the serial sweeps give, joint by joint from the base.
struct ArrayState {
  std::vector<VectorWord> words;
  std::vector<double> torque;
};
std::vector<ArrayState> array_states(const Robot&, ArrayKind, int count, unsigned seed);

// A state every `interval` clocks through the array, clock by clock: the largest difference from
// the serial sweeps, over the largest torque of its state.
double stream_error(const Robot&, const SystolicArray&, const Staging&, int interval,
                    int states = 20, unsigned seed = 1);

}  // namespace parid::hardware
