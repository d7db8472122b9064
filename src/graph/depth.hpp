// How long a graph takes on as many processors as it can use, in operations one after another.
//
// Without weights, multiplications, additions, divisions and square roots take one step each; all
// else is free. That is how the papers count: sines and cosines depend on positions alone and are
// ready before the work begins. With weights, an operation takes as long as they say, and one that
// takes no time is not counted.

#pragma once

#include <vector>

#include "graph/layer.hpp"
#include "graph/weights.hpp"

namespace parid::graph {

// The operations along a longest path; of several longest, one with the most multiplications.
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

// How many operations start at each step if each starts as soon as it can, without weights. They
// are those of the graph as it stands; their sum is all that Depth counts.
std::vector<long> width(const Graph&);

}  // namespace parid::graph
