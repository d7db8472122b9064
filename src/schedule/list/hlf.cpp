// Highest level first (Hu 1961): the ready task with the longest path to the end.

#include "parid/schedule/list_scheduling.hpp"
#include "parid/schedule/scheduler.hpp"

namespace parid {

Outcome hlf(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  return {list_schedule(g, m, level_ranks(g))};
}

}  // namespace parid
