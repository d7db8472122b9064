// Which task runs where and when, and whether that can be.

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

// Schedulers give one placement for each task, in the order of the tasks. What others wrote may
// have any number in any order; check() says so.
struct Schedule {
  int processors = 1;
  std::vector<Placement> placement;
};

Time makespan(const Schedule&);

struct Fault {
  enum class Kind { missing, repeated, unknown, processor, duration, overlap, precedence } kind;
  int task = 0;
  int other = -1;       // the one it overlaps or does not wait for
  std::string message;  // in words
};
const char* name(Fault::Kind);

// Every task exactly once, on a processor there is, for as long as it takes, two never at once on
// one processor, and none before what it waits for. Empty: it is a schedule.
std::vector<Fault> check(const TaskGraph&, const Machine&, const Schedule&);

// Placements by processor, each in the order of time.
std::vector<std::vector<Placement>> by_processor(const Schedule&);

// For the terminal: a row for each start, a column for each processor.
std::string table(const TaskGraph&, const Schedule&);

}  // namespace parid::schedule
