// Schedules of p equal processors as start times only, and their improvement.
//
// The assignment to processors does not matter while at most p tasks run at once. So a schedule is
// a list of starts, made by placing tasks one after the other, each as early as its predecessors
// and the load so far allow: gaps are filled, and idle time remains where it helps. Shifting all
// tasks as late as possible, latest first, and then as early as possible, closes gaps
// (justification: Valls, Ballestín and Quintanilla 2005).

#pragma once

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

class Justification {
 public:
  Justification(const TaskGraph&, int processors);

  // Whether times are short enough for the memory that this takes.
  static bool covers(const TaskGraph&);

  // Places tasks in this order, each as early as possible; predecessors must come first.
  const std::vector<Time>& forward(const std::vector<int>& order);
  Time length() const { return length_; }
  const std::vector<Time>& start() const { return start_; }

  // Justifies to the right, then to the left, while the schedule gets shorter. On return `order`
  // lists the tasks by their starts.
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
