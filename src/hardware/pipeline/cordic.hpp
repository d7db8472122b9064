// From a graph to CORDIC boxes: a pass that covers its operations by what boxes can do.
//
//   cos t · u + sin t · v, cos t · v − sin t · u    one circ1, both of its outputs
//   atan2(y, x)                                     circ2; a sum it stands in enters by z
//   √(a² + b²)                                      the x of a circ2, shared with atan2(±b, ±a)
//   √(a² − b²), √(c − b²), √(a² + b² − c), …        hype2, after circ2 for sums; √ max(0, …)
//   likewise
//   c + a b + d e + …                               a chain of lin1; so are plain sums (a · 1)
//   a / b                                           lin2
//
// What several operations read is computed once.

#pragma once

#include <map>

#include "graph/graph.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/boxes.hpp"

namespace parid::hardware {

struct CordicMapping {
  std::vector<std::string> signs;  // inputs that are ±1
  // Which product enters a chain of lin1 first: what was computed last, as Lee and Chang have it,
  // or what is ready soonest.
  bool by_readiness = false;
  // What constants of the graph stand for, to more digits than a double has: by their sizes.
  std::map<double, Quad> finer = {};
};

// Throws parid::Error for operations that no box has: comparisons other than under a root.
BoxDesign cordic_boxes(const Graph&, const CordicMapping& = {});

}  // namespace parid::hardware
