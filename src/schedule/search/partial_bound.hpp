// A lower bound of the length of a partly fixed schedule on p equal processors. A* and DF/IHS use
// it.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

class PartialBound {
 public:
  PartialBound(const TaskGraph&, int processors);

  // Tasks with done[t] have started at start[t]; no other starts before `now`. The largest of: the
  // longest path; the remaining work, evenly divided; Fernandez and Bussell's intervals from now.
  Time operator()(Time now, const std::vector<char>& done, const std::vector<Time>& start);

 private:
  const TaskGraph& g_;
  int processors_;
  std::vector<int> order_;
  std::vector<Time> level_, earliest_;
  std::vector<std::pair<Time, Time>> latest_;  // start, duration
};

}  // namespace parid::schedule
