// Tasks that wait for one another: what a scheduler reads.
//
// schedule/ puts the operations of a Graph, gathered into tasks, on p processors: decompositions
// into tasks, schedulers, bounds, checks, and threads that carry a schedule out. It includes ir/
// and emit/; what makes tasks of a robot (streamline, coarse) knows model/ and below too.
//
// Times are whole numbers. What one unit is depends on where the tasks come from: a level of three
// operations, one operation, or whatever a file of tasks means.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/layer.hpp"

namespace parid::schedule {

using Time = std::int64_t;

struct Task {
  std::string name;
  Time duration = 1;
  int joint = -1;  // that it belongs to, from 1; -1: to none
  int layer = -1;  // of a layered decomposition, from 1; -1: as early as its predecessors allow
  // Of the recursions of Newton-Euler, the one that it belongs to; none: of other computations.
  enum class Recursion { none, forward, backward } recursion = Recursion::none;
};

// The other end of an edge, and how many numbers pass along it.
struct Link {
  int task = 0, words = 1;
};

class TaskGraph {
 public:
  int add(Task);
  void precede(int before, int after, int words = 1);  // given twice, an edge has the most words
  // The same of an edge that is not there yet, which the caller knows; nothing is searched.
  void precede_newly(int before, int after, int words = 1);

  int size() const { return static_cast<int>(task_.size()); }
  const Task& operator[](int t) const { return task_[t]; }
  const std::vector<Link>& before(int t) const { return before_[t]; }
  const std::vector<Link>& after(int t) const { return after_[t]; }
  long edges() const;
  int find(const std::string& name) const;  // -1: there is none

  // Predecessors first; of those that could come next, the first added. Throws parid::Error, naming
  // a task, where tasks wait for one another in a circle.
  std::vector<int> order() const;

 private:
  std::vector<Task> task_;
  std::vector<std::vector<Link>> before_, after_;
};

Time total(const TaskGraph&);                // on one processor
TaskGraph reversed(const TaskGraph&);        // the same tasks, every edge turned round
std::vector<Time> heads(const TaskGraph&);   // the longest path before each task
std::vector<Time> levels(const TaskGraph&);  // the longest path from each task's start to the end
Time critical_path(const TaskGraph&);

// The layers that a layered decomposition names, or those of tasks that start as early as they can.
std::vector<int> layers(const TaskGraph&);
int layer_count(const TaskGraph&);
int concurrency(const TaskGraph&);  // tasks in the fullest layer

}  // namespace parid::schedule
