// factor() (passes.hpp) of one graph among several candidates.

#pragma once

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

// factor(g), or g itself if a first try leaves more than 6 % more multiplications and additions
// than `best` has: further tries rarely save as much and take most of the time.
Graph factor_if_near(const Graph& g, const Graph& best);

}  // namespace parid::graph
