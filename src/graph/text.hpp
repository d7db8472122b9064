// A graph as text, for people and golden tests: one line per operation, in the graph's order.
//
//   input x y
//   t1 = mul x y
//   t2 = add 0.5 t1
//   output z = t2
//
// Operations are numbered from 1; inputs go by their names and constants by their shortest digits.

#pragma once

#include <string>

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

std::string text(const Graph&);

}  // namespace parid::graph
