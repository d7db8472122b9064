// The cost of a formulation on a robot: operations as written, after simplification, and depth.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/depth.hpp"
#include "graph/graph.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"
#include "scalar/counted.hpp"

namespace parid::runtime {

// Rotors and the entries of the rotations are not counted, except in `customised`.
struct FormulationCost {
  OperationCount as_written;    // Counted: no folding, every 0·x counts
  std::optional<Counts> dense;  // the simplified graph, with rotations as nine inputs each
  std::optional<Counts>
      customised;              // the simplified graph from positions on, with the robot's zeros
  std::optional<Depth> depth;  // of the latter
  std::string why_not_traced;  // the reason if the graphs are missing
};

struct CostOptions {
  std::size_t limit = 3'000'000;  // nodes of a graph; beyond, it is not traced
  int processors = 0;             // of formulations that take a number of them; 0: their default
};

// Cost of formulation `id`, which must support the robot.
FormulationCost cost(const std::string& id, const Robot&, const CostOptions& = {});

}  // namespace parid::runtime
