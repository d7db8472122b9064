// The list of schedulers, which the program, the tests and the documentation read. Each has a file
// named after its id.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

struct SearchLimits {
  double seconds = 10;  // time limit of schedulers that search; the others have none
  std::size_t most_states = 1'000'000;              // kept in memory at once
  std::function<void(double share)> progress = {};  // of the time
  // Beyond this number of tasks no tree is searched; bounds and list schedules are used.
  static constexpr int most_tasks = 5000;
};

struct Outcome {
  Schedule schedule;
  Time lower_bound = 0;  // proven by this scheduler; 0: none
  bool proven = false;   // nothing shorter exists
  long nodes = 0;        // of the search
  // Of a scheduler whose tasks have their processor from their joint: no order is shorter there.
  bool best_order = false;
};

struct Scheduler {
  SchedulingMethod value;
  const char* id;
  const char* says;    // one-line description
  const char* source;  // authors and year
  bool searches;       // until its time limit
  Outcome (*run)(const TaskGraph&, const Machine&, const SearchLimits&);
  // The reason why it cannot schedule this graph or machine; empty: it can.
  std::string (*refuses)(const TaskGraph&, const Machine&);
  bool by_joint = false;  // a task's processor follows from its joint: only orders are sought
};

const std::vector<Scheduler>& schedulers();  // in the order of SchedulingMethod
const Scheduler& scheduler(SchedulingMethod);
const Scheduler& scheduler(std::string_view id);  // throws parid::Error with a suggestion

// Runs the scheduler; throws parid::Error if it cannot schedule this graph or machine. The lower
// bound is the larger of the scheduler's own and those of bounds.hpp; `proven` follows from it.
Outcome run(const Scheduler&, const TaskGraph&, const Machine&, const SearchLimits& = {});
// The same; throws std::logic_error if check() finds a fault in the schedule.
Outcome checked_run(const Scheduler&, const TaskGraph&, const Machine&, const SearchLimits& = {});

// Throws parid::Error for a machine without processors, speeds that are not one positive number for
// each, and negative times.
void require_machine(const Machine&);

// One each, in the file of the same name.
Outcome layer_packing(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome hlf(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome cp_misf(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome dhlf_misf(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome dhanaraj(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome joint_levels(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome luh_lin(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome heft(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome df_ihs(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome a_star(const TaskGraph&, const Machine&, const SearchLimits&);
Outcome exact(const TaskGraph&, const Machine&, const SearchLimits&);

}  // namespace parid::schedule
