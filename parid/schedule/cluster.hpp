// Any graph as tasks of at most k operations.
//
// An operation joins the task of one of its operands where there is room and where that task stands on a
// higher level than those of its other operands: then edges go from lower levels to higher ones alone, and
// no circle can arise. Afterwards small tasks of one level that work for the same task become one. For grains
// of more than 16 operations such tasks are joined again: levels are taken together into bands, and what
// hangs together within a band is one task.

#pragma once

#include "parid/schedule/tasked_graph.hpp"

namespace parid {

// Operations `ids`, operands first, in groups; each group in the order given. Groups come in an order to do
// them.
std::vector<std::vector<Id>> clusters(const Graph&, const std::vector<Id>& ids, int grain);

// The graph must be simplified. Sines and cosines, and what they are of, are prepared. A unit of time is one
// operation.
TaskedGraph clustered(const Graph&, int grain);

}  // namespace parid
