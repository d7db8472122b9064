// What a pipeline is to those who only care when things happen: operations that take time, and
// signals that run from one to the next.
//
// pipeline/ turns computations into hardware that takes a new sample every stage: when each
// operation starts, how long each signal must wait, how many bits it needs. It knows operations and
// nothing of robots, and includes ir/ and scalar/.

#pragma once

#include <string>
#include <vector>

#include "hardware/layer.hpp"

namespace parid::hardware {

struct Network {
  struct Signal {
    int operation = -1;  // that gives it; none: an input
    int weight = 1;      // what a stage of waiting costs: its width, 0 for what is not counted
    std::string name = {};
  };
  struct Operation {
    int latency = 1;
    std::vector<int> in;  // signals, port by port; constants have none
    std::string name = {};
  };
  std::vector<Signal> signals;
  std::vector<Operation> operations;  // each after those it reads
  std::vector<int> outputs;           // signals

  int input(const std::string& name, int weight = 1) {
    signals.push_back({-1, weight, name});
    return static_cast<int>(signals.size()) - 1;
  }
  int output_of(int operation, const std::string& name = {}, int weight = 1) {
    signals.push_back({operation, weight, name});
    return static_cast<int>(signals.size()) - 1;
  }
};

}  // namespace parid::hardware
