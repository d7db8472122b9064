// The same computation with fewer operations, by regrouping its sums.
//
// Every sum is taken apart into numbers times products, across as many additions and
// multiplications by numbers as it takes; what cancels is gone, numbers times numbers are one
// number. Then parts that several sums share, and numbers and operands that terms of a sum share,
// are taken out again, the most saving first. Sums are added up in the order that ends soonest.
//
// Values change by rounding only. No count ever rises: where regrouping does not pay, the graph
// comes back as it was.

#pragma once

#include "graph/graph.hpp"
#include "graph/layer.hpp"

namespace parid::graph {

Graph factor(const Graph&);

}  // namespace parid::graph
