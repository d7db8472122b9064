// A schedule as programs, one per processor, that wait for one another only where a number is
// passed.
//
// Each processor counts its finished tasks and publishes the count where another may wait for it.
// Before a task that reads a result of another processor, a program waits until that processor's
// count is high enough; it does not repeat a wait that an earlier one covers.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

struct Wait {
  int processor = 0;
  int count = 0;  // tasks that it must have finished
};

struct ThreadStep {
  int task = 0;
  std::vector<Wait> waits;  // before it
  int show = 0;             // count to publish after the task; 0: no other processor waits for it
};

struct ThreadedProgram {
  std::vector<std::vector<ThreadStep>> steps;  // by processor
  int crossings = 0;                           // edges with data between processors
  int waits = 0;                               // edges with a wait
  // The slot of each node's value: values that one processor writes and others read are contiguous
  // and apart from those of other processors, so that a cache line has one writer.
  std::vector<int> slot;
  int slots = 0;
};

ThreadedProgram threaded_program(const TaskedGraph&, const Schedule&);

// The same in C: functions `void processor0(double* x, struct count* counts, unsigned long base)`,
// … over an array of values by slot, without constants; numbers that stay on their processor stay
// in registers. `struct count` is a cache line that begins with an unsigned long. `base` is the
// value of all counts at the beginning of this evaluation.
std::string c_text(const TaskedGraph&, const ThreadedProgram&);

}  // namespace parid::schedule
