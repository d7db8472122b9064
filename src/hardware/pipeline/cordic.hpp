// From a graph to CORDIC boxes: a pass that covers the graph's operations with boxes.
//
//   cos t · u + sin t · v, cos t · v − sin t · u    one circ1, both of its outputs
//   atan2(y, x)                                     circ2; a sum that contains it enters by z
//   √(a² + b²)                                      the x of a circ2, shared with atan2(±b, ±a)
//   √(a² − b²), √(c − b²), √(a² + b² − c), …        hype2, after circ2 for sums; √ max(0, …)
//   likewise
//   c + a b + d e + …                               a chain of lin1; so are plain sums (a · 1)
//   a / b                                           lin2
//
// A value with several readers is computed once.

#pragma once

#include <map>

#include "graph/graph.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/boxes.hpp"

namespace parid::hardware {

struct CordicMapping {
  std::vector<std::string> signs;  // inputs that are ±1
  // Order of products in a chain of lin1: latest computed first, as in Lee and Chang, or earliest
  // ready first.
  bool by_readiness = false;
  // More precise values of the graph's constants, keyed by their absolute values.
  std::map<double, Quad> finer = {};
};

// Throws parid::Error for operations without a box: comparisons other than under a root.
BoxDesign cordic_boxes(const Graph&, const CordicMapping& = {});

}  // namespace parid::hardware
