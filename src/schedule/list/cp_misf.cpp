// Critical path / most immediate successors first (Kasahara and Narita 1984): highest level first,
// and of equal levels the task that most others wait for.

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {

Outcome cp_misf(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  return {list_schedule(g, m, level_successor_ranks(g))};
}

}  // namespace parid::schedule
