// Better schedules by small changes: ranks of a few tasks are changed, the tasks listed anew and
// justified, and the change is kept if the schedule is no longer, or a little longer now and then.
// For p equal processors. The same graph gives the same schedule, given the same number of rounds.

#pragma once

#include <functional>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// Until `bound` is met, `rounds` are over or `stop` says so.
Schedule annealed(const TaskGraph&, int processors, const Schedule& first, Time bound, long rounds,
                  const std::function<bool()>& stop);

}  // namespace parid::schedule
