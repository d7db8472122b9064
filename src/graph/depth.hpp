// The critical path of a graph: its time on unlimited processors, in sequential operations.
//
// Without weights, multiplications, additions, divisions and square roots take one step each; all
// others are free. The papers count in this way: sines and cosines depend on positions only and are
// computed beforehand. With weights, an operation takes its weight, and one with weight zero is not
// counted.

#pragma once

#include <vector>

#include "graph/layer.hpp"
#include "graph/weights.hpp"

namespace parid::graph {

// The operations along a longest path; of several, one with the most multiplications.
struct Depth {
  int multiplications = 0, additions = 0, divisions = 0, square_roots = 0;
  int sines = 0, arc_tangents = 0;  // a sine or a cosine

  int total() const {
    return multiplications + additions + divisions + square_roots + sines + arc_tangents;
  }
  std::int64_t time(const OperationWeights&) const;
  bool operator==(const Depth&) const = default;
};

std::vector<Depth> depth_per_node(const Graph&, const OperationWeights& = arithmetic_alone);
std::vector<Depth> depth_per_output(const Graph&, const OperationWeights& = arithmetic_alone);
Depth depth(const Graph&, const OperationWeights& = arithmetic_alone);  // of the deepest output

// The number of operations that start at each step if each starts as early as possible, without
// weights. Their sum is the total that Depth counts.
std::vector<long> width(const Graph&);

}  // namespace parid::graph
