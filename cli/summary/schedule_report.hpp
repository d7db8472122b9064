// Output of `parid schedule`: tables, JSON, pictures.

#pragma once

#include <optional>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "schedule/executor.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/task_source.hpp"

namespace parid::cli {

// The measured time of a schedule on threads, and a model if there are too few cores.
struct Execution {
  int cores = 0;
  double round_trip = 0;  // ns
  Achieved achieved;      // measured is 0 if there are fewer cores than processors
  // ns, modelled: the best list schedule if each crossing takes half a round trip
  double with_crossings = 0;
};

struct ScheduleRun {
  Machine machine;
  std::string scheduler;
  schedule::Outcome outcome;
  double seconds = 0;
  std::optional<Execution> execution;

  Time length() const { return makespan(outcome.schedule); }
};

// The time on one processor of speed 1 divided by the schedule's length; and that per processor.
double speedup(const Tasks&, const ScheduleRun&);
double efficiency(const Tasks&, const ScheduleRun&);

void print_tasks(const Tasks&);
void print_schedule(const Tasks&, const ScheduleRun&, bool with_table);
void print_comparison(const Tasks&,
                      const std::vector<ScheduleRun>&);  // of processors or schedulers
void print_published();                                  // Markdown

Json run_json(const ScheduleRun&, const Tasks&, bool assignment);
Json tasks_json(const Tasks&);

// Speed-up, efficiency and length over the number of processors: Figures 4.11 to 4.13 of Dhanaraj
// (1990).
Figure processors_figure(const Tasks&, const std::vector<ScheduleRun>&);

}  // namespace parid::cli
