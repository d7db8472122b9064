// How long a graph takes on as many processors as it can use, in operations one after another.
//
// Multiplications, additions, divisions and square roots take one step each; all else is free, sines
// and cosines too: they depend on positions alone and are ready before the work begins.

#pragma once

#include <vector>

#include "parid/ir/graph.hpp"

namespace parid {

// The operations along a longest path; of several longest, one with the most multiplications.
struct Depth {
  int multiplications = 0, additions = 0, divisions = 0, square_roots = 0;

  int total() const { return multiplications + additions + divisions + square_roots; }
  bool operator==(const Depth&) const = default;
};

std::vector<Depth> depth_per_node(const Graph&);
std::vector<Depth> depth_per_output(const Graph&);
Depth depth(const Graph&);  // of the deepest output

// How many operations start at each step if each starts as soon as it can. They are those of the
// graph as it stands; their sum is all that Depth counts.
std::vector<long> width(const Graph&);

}  // namespace parid
