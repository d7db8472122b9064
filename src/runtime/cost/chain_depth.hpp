// Depth and operations of a chain's quantities: serial sweeps beside scans and trees.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/depth.hpp"
#include "graph/graph.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct GraphCost {
  Depth depth;
  Counts count;
};
struct ChainDepth {
  const char* quantity;                       // kinematics, jacobian, mass, forward
  std::optional<GraphCost> serial, parallel;  // none: the graph would be too large
};

// Of the graphs customised for the robot; kinematics and Jacobian are those of the tip. Throws
// Error for a robot that is not a chain of joints with one freedom each, and for links whose
// inertia cannot be inverted.
std::vector<ChainDepth> chain_depths(const Robot&, std::size_t limit = 3'000'000);

}  // namespace parid::runtime
