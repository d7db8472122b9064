// The ways to put tasks on processors: one list, which the program, the tests and the docs walk.
// Each has a file of its own, named after its id.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

struct SearchLimits {
  double seconds = 10;  // for schedulers that search; the others take what they take
  std::size_t most_states = 1'000'000;              // kept in memory at once
  std::function<void(double share)> progress = {};  // of the time
  // Beyond this many tasks no tree is searched: bounds and list schedules must do.
  static constexpr int most_tasks = 5000;
};

struct Outcome {
  Schedule schedule;
  Time lower_bound = 0;  // that this scheduler knows of; 0: it asked for none
  bool proven = false;   // nothing shorter exists
  long nodes = 0;        // of the search
  // Of a scheduler whose tasks have their processor from their joint: no order is shorter there.
  bool best_order = false;
};

struct Scheduler {
  const char* id;
  const char* says;    // in one line
  const char* source;  // who
  bool searches;       // for as long as it is allowed to
  Outcome (*run)(const TaskGraph&, const Machine&, const SearchLimits&);
  // Why it cannot take this graph or machine; empty: it can.
  std::string (*refuses)(const TaskGraph&, const Machine&);
  bool by_joint = false;  // a task's processor follows from its joint: only orders are sought
};

const std::vector<Scheduler>& schedulers();
const Scheduler& scheduler(const std::string& id);  // throws parid::Error with a suggestion

// Runs it; throws parid::Error where it cannot take this. The bounds of bounds.hpp are joined to
// what it knows itself, and `proven` follows.
Outcome run(const Scheduler&, const TaskGraph&, const Machine&, const SearchLimits& = {});

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
