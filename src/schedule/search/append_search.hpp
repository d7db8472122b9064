// The shortest schedule on any machine, by depth-first search over all orders of tasks and all
// processors.
//
// In the order of their starts, a schedule's tasks can be appended one by one, each to its
// processor, and none starts later than before; so the search misses no optimum. Of identical
// processors without tasks, only one is tried. A branch ends if a bound shows that it cannot be
// shorter than the best.

#pragma once

#include <functional>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

class AppendSearch {
 public:
  AppendSearch(const TaskGraph&, const Machine&, Schedule first, Time bound,
               std::function<bool()> stop);
  bool run();  // whether the search was complete or met the bound
  const Schedule& best() const { return best_; }
  long nodes() const { return nodes_; }

 private:
  void search(int placed, Time length);
  Time bound(Time length) const;

  const TaskGraph& g_;
  const Machine& m_;
  Schedule best_, now_;
  Time shortest_, bound_;
  std::function<bool()> stop_;
  std::vector<Time> level_;  // on the fastest processor, with free communication
  std::vector<Time> free_;
  std::vector<int> waits_, by_level_, used_;
  std::vector<char> done_;
  Time work_left_ = 0;
  bool stopped_ = false;
  long nodes_ = 0;
  Time last_start_ = 0;
};

}  // namespace parid::schedule
