// Schedules of p equal processors as times alone, and how to make good ones better.
//
// Which processor a task runs on does not matter while no more than p run at once. So a schedule is
// the starts of its tasks, made by placing tasks one after the other, each as early as its
// predecessors and the load so far allow: gaps are filled, and idle time is left where that serves.
// Shifting all tasks as late as they can, latest first, and then as early as they can, closes gaps
// (justification: Valls, Ballestín and Quintanilla 2005).

#pragma once

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

class Justification {
 public:
  Justification(const TaskGraph&, int processors);

  // Whether times are short enough for this to be worth its memory.
  static bool covers(const TaskGraph&);

  // Tasks in this order, each as early as it can; predecessors must come first.
  const std::vector<Time>& forward(const std::vector<int>& order);
  Time length() const { return length_; }
  const std::vector<Time>& start() const { return start_; }

  // Right, then left, for as long as it gets shorter. Leaves in `order` the tasks by their starts.
  void justify(std::vector<int>& order);

 private:
  Time place(int t, Time ready);
  void shift_right();
  void shift_left();
  void sort_by_start(std::vector<int>& order) const;

  const TaskGraph& g_;
  int processors_;
  std::vector<int> position_;  // in a topological order, to break ties
  std::vector<Time> start_;
  std::vector<int> load_;  // how many run in [t, t + 1)
  std::vector<int> sorted_;
  Time length_ = 0;
};

}  // namespace parid::schedule
