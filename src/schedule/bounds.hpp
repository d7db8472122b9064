// Lower bounds of the length of any schedule.
//
// Communication between processors is taken as free. If processors differ, paths are computed as if
// all tasks ran on the fastest one, load as if it could be divided arbitrarily, and intervals give
// no further bound.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/machine.hpp"

namespace parid::schedule {

struct LowerBounds {
  Time critical_path = 0, load = 0;
  // Fernandez and Bussell (1973): within the time of the critical path every task has a window;
  // work that must be done in an interval and exceeds its capacity lengthens the schedule.
  Time fernandez_bussell = 0;
  // The same test, repeated for longer times, whose windows are wider, until all work fits
  // (energetic reasoning; Baptiste, Le Pape, Nuijten 1999). At least as large as the others.
  Time energetic = 0;

  Time best() const;
};
LowerBounds lower_bounds(const TaskGraph&, const Machine&);

}  // namespace parid::schedule
