// Tasks with precedences: the input of a scheduler.
//
// schedule/ groups the operations of a Graph into tasks and schedules them on p processors:
// decompositions, schedulers, bounds, checks, and threads that run a schedule.
//
// Times are integers. The unit depends on the source of the tasks: a level of three operations, one
// operation, or the unit of a file of tasks.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parid/schedule.hpp"
#include "schedule/layer.hpp"

namespace parid::schedule {

using Time = std::int64_t;

struct Task {
  std::string name;
  Time duration = 1;
  int joint = -1;  // of the robot, from 1; -1: none
  int layer = -1;  // of a layered decomposition, from 1; -1: as early as its predecessors allow
  using Recursion = TaskRecursion;
  Recursion recursion = Recursion::none;
};

// The other end of an edge, and how many numbers it carries.
struct Link {
  int task = 0, words = 1;
};

class TaskGraph {
 public:
  int add(Task);
  // a repeated edge keeps the larger number of words
  void precede(int before, int after, int words = 1);
  // The same without a search, for an edge that does not exist yet.
  void precede_newly(int before, int after, int words = 1);

  int size() const { return static_cast<int>(task_.size()); }
  const Task& operator[](int t) const { return task_[t]; }
  const std::vector<Link>& before(int t) const { return before_[t]; }
  const std::vector<Link>& after(int t) const { return after_[t]; }
  long edges() const;
  int find(const std::string& name) const;  // -1: there is none

  // Predecessors first; of several candidates, the first added. Throws parid::Error with the name
  // of a task if tasks form a cycle.
  std::vector<int> order() const;

 private:
  std::vector<Task> task_;
  std::vector<std::vector<Link>> before_, after_;
};

Time total(const TaskGraph&);                // on one processor
TaskGraph reversed(const TaskGraph&);        // the same tasks with every edge reversed
std::vector<Time> heads(const TaskGraph&);   // the longest path before each task
std::vector<Time> levels(const TaskGraph&);  // the longest path from each task's start to the end
Time critical_path(const TaskGraph&);

// The layers of a layered decomposition, or the layers of tasks that start as early as possible.
std::vector<int> layers(const TaskGraph&);
int layer_count(const TaskGraph&);
int concurrency(const TaskGraph&);  // tasks in the fullest layer

}  // namespace parid::schedule
