// The timing view of a pipeline: operations with latencies, and signals from one to the next.
//
// pipeline/ turns computations into hardware that accepts a new sample every stage: start times,
// waits and widths. It contains operations and no robots.

#pragma once

#include <string>
#include <vector>

#include "hardware/layer.hpp"

namespace parid::hardware {

struct Network {
  struct Signal {
    int operation = -1;  // source operation; -1: an input
    // cost of a stage of waiting: its width, 0 for signals that are not counted
    int weight = 1;
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
