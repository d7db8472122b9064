// Improves schedules by simulated annealing: the ranks of a few tasks are changed, the tasks are
// listed again and justified, and the change is kept if the schedule is not longer, or occasionally
// if it is a little longer. For p equal processors. The same graph and number of rounds give the
// same schedule.

#pragma once

#include <functional>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// Runs until `bound` is met, `rounds` are over or `stop` returns true.
Schedule annealed(const TaskGraph&, int processors, const Schedule& first, Time bound, long rounds,
                  const std::function<bool()>& stop);

}  // namespace parid::schedule
