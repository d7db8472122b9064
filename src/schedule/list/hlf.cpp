// Highest level first (Hu 1961): the ready task with the longest path to the end.

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {

Outcome hlf(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  return {list_schedule(g, m, level_ranks(g))};
}

}  // namespace parid::schedule
