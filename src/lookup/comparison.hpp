// Agreement, cost and time of every torque method on one robot, side by side.

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
  std::string reason;  // why it does not cover the robot; empty: it does
  double error = 0;    // largest relative difference from the engine's torques
  double ns = 0;       // per torque; 0 if not timed
  FormulationCost cost;
};

// On random states, the same for the same robot. `progress` is called with the part that is done, 0
// to 1. `processors` is for the methods that take a number of them; 0: their default.
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
