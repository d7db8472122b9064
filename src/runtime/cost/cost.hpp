// What a formulation costs on a robot: operations as written, after simplification, and depth.

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

// Rotors are not counted, nor are the entries of the rotations, except in `customised`.
struct FormulationCost {
  OperationCount as_written;    // Counted: nothing folded, every 0·x charged
  std::optional<Counts> dense;  // the simplified graph, rotations given as nine numbers each
  std::optional<Counts>
      customised;              // the simplified graph from positions on: the robot's zeros found
  std::optional<Depth> depth;  // of the latter
  std::string why_not_traced;  // where the graphs are missing
};

struct CostOptions {
  std::size_t limit = 3'000'000;  // nodes of a graph; beyond, it is not traced
  int processors = 0;             // of formulations that take a number of them; 0: their default
};

// Of formulation `id`, which must cover the robot.
FormulationCost cost(const std::string& id, const Robot&, const CostOptions& = {});

}  // namespace parid::runtime
