// How long a schedule on p equal processors must become at least, some of it being fixed: the bound
// that A* and DF/IHS go by.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

class PartialBound {
 public:
  PartialBound(const TaskGraph&, int processors);

  // Tasks with done[t] have started at start[t]; no other starts before `now`. The longest path;
  // the work left, spread evenly; and Fernandez and Bussell's intervals that begin now.
  Time operator()(Time now, const std::vector<char>& done, const std::vector<Time>& start);

 private:
  const TaskGraph& g_;
  int processors_;
  std::vector<int> order_;
  std::vector<Time> level_, earliest_;
  std::vector<std::pair<Time, Time>> latest_;  // start, duration
};

}  // namespace parid::schedule
