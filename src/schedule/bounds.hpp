// No schedule can be shorter than these.
//
// What passes between processors is taken as free. Where processors differ, paths are taken as if
// all tasks ran on the fastest, load as if it could be spread as finely as one likes, and intervals
// say no more.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/machine.hpp"

namespace parid::schedule {

struct LowerBounds {
  Time critical_path = 0, load = 0;
  // Fernandez and Bussell (1973): within the critical path's time every task has a window; work
  // that must fall into an interval of it and does not fit makes the schedule so much longer.
  Time fernandez_bussell = 0;
  // The same asked again for each longer time, whose windows are wider, until everything fits
  // (energetic reasoning; Baptiste, Le Pape, Nuijten 1999). At least as large as the others.
  Time energetic = 0;

  Time best() const;
};
LowerBounds lower_bounds(const TaskGraph&, const Machine&);

}  // namespace parid::schedule
