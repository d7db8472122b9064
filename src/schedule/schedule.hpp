// Start and processor of each task, and a check of their validity.

#pragma once

#include <string>
#include <vector>

#include "schedule/layer.hpp"
#include "schedule/machine.hpp"

namespace parid::schedule {

struct Placement {
  int task = 0, processor = 0;
  Time start = 0, end = 0;
};

// Schedulers give one placement per task, in the order of the tasks. Schedules from files may have
// any number in any order; check() reports that.
struct Schedule {
  int processors = 1;
  std::vector<Placement> placement;
};

Time makespan(const Schedule&);

struct Fault {
  enum class Kind { missing, repeated, unknown, processor, duration, overlap, precedence } kind;
  int task = 0;
  int other = -1;       // the task that it overlaps or does not wait for
  std::string message;  // in words
};
const char* name(Fault::Kind);

// Checks that every task is placed exactly once, on an existing processor, for its full duration,
// without overlap on a processor, and after its predecessors. Empty: the schedule is valid.
std::vector<Fault> check(const TaskGraph&, const Machine&, const Schedule&);

// Placements by processor, each ordered by time.
std::vector<std::vector<Placement>> by_processor(const Schedule&);

// Text for the terminal: a row for each start, a column for each processor.
std::string table(const TaskGraph&, const Schedule&);

}  // namespace parid::schedule
