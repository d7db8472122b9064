// Compares agreement, cost and time of every torque method on one robot.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lookup/layer.hpp"
#include "lookup/methods.hpp"
#include "runtime/cost/cost.hpp"

namespace parid::lookup {

struct MethodComparison {
  const MethodEntry* entry;
  std::string reason;  // why it does not support the robot; empty: it does
  double error = 0;    // largest relative difference from the engine's torques
  double ns = 0;       // per torque; 0 if not timed
  FormulationCost cost;
};

// On random states, deterministic for a robot. `progress` is called with the finished fraction, 0
// to 1.
std::vector<MethodComparison> compare_methods(const Robot&, const std::vector<const MethodEntry*>&,
                                              long samples, bool timed,
                                              const std::function<void(double)>& progress = {},
                                              int processors = 0);

// Forward dynamics compared with inverse dynamics: the accelerations that the torques came from.
struct ForwardComparison {
  const char* id;
  double error, ns;
  OperationCount count;
};
std::vector<ForwardComparison> compare_forward(const Robot&, long samples);

}  // namespace parid::lookup
