// A schedule as programs, one per processor, that wait for one another only where a number crosses.
//
// Each processor counts the tasks it has done and shows its count where another may be waiting for
// it. Before a task that reads what another processor computed, a program waits until that one's
// count is high enough; it does not wait again for what an earlier wait covers.

#pragma once

#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

struct Wait {
  int processor = 0;
  int count = 0;  // tasks that it must have done
};

struct ThreadStep {
  int task = 0;
  std::vector<Wait> waits;  // before it
  int show = 0;             // after it: so many are done; 0: nobody waits for that
};

struct ThreadedProgram {
  std::vector<std::vector<ThreadStep>> steps;  // by processor
  int crossings = 0;                           // edges with data between processors
  int waits = 0;                               // of them, those that are waited for
  // Where each node's value stands: what one processor computes and others read lies together, away
  // from what another computes, so that a line of memory has one writer.
  std::vector<int> slot;
  int slots = 0;
};

ThreadedProgram threaded_program(const TaskedGraph&, const Schedule&);

// The same in C: functions `void processor0(double* x, struct count* counts, unsigned long base)`,
// … over an array of values by slot, constants left out; numbers that stay on their processor stay
// in registers. `struct count` is a cache line that begins with an unsigned long. `base` is what
// all counts were at the beginning of this evaluation.
std::string c_text(const TaskedGraph&, const ThreadedProgram&);

}  // namespace parid::schedule
