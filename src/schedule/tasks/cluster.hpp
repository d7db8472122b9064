// Any graph as tasks of at most k operations.
//
// With k = 1 every operation that takes time is a task of its own: the total of the tasks is that
// of the program's operations, and their critical path is the program's. Signs, comparisons,
// choices and other operations that take no time go with a task where that delays nothing; the few
// that go with none are tasks of no duration.
//
// With larger k an operation joins the task of one of its operands where there is room and where
// that task stands on a higher level than those of its other operands: then edges go from lower
// levels to higher ones alone, and no circle can arise. Afterwards small tasks of one level that
// work for the same task become one. For grains of more than 16 operations such tasks are joined
// again: levels are taken together into bands, and what hangs together within a band is one task.
// Totals stay; critical paths may become longer.
//
// A sine and a cosine of the same number are one operation.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

// Operations `ids`, operands first, in groups of at most `grain` that take time; each group in the
// order given. Groups come in an order to do them.
std::vector<std::vector<Id>> clusters(const Graph&, const std::vector<Id>& ids, int grain,
                                      const OperationWeights& = {});

// The graph must be simplified. Every operation that takes time is in a task. What takes none and
// follows from inputs through operations that take none is prepared, such as sines of inputs where
// sines weigh nothing.
TaskedGraph clustered(const Graph&, int grain, const OperationWeights& = {});

}  // namespace parid::schedule
