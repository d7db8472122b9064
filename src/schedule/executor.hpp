// A schedule carried out by threads, each pinned to a core of its own, that wait for one another by
// spinning on a count (threaded_program.hpp): no locks, no sleep.
//
// Compiled where there is a compiler, interpreted elsewhere. The threads spin between evaluations
// too, for as long as the executor lives: it is for measuring and for control loops that own their
// cores.

#pragma once

#include <memory>
#include <span>
#include <string>

#include "schedule/layer.hpp"
#include "schedule/threaded_program.hpp"

namespace parid::schedule {

class Executor {
 public:
  // Throws parid::Error where the schedule has more processors than there are cores to run on.
  Executor(const TaskedGraph&, const Schedule&);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // What follows from positions alone is worked out first, by the caller.
  void evaluate(std::span<const double> inputs, std::span<double> outputs);

  // Nanoseconds per evaluation of the tasks, from the moment that all processors are told to begin
  // to the moment that all are seen to have ended; the best of many short rounds, for other
  // programs may hold a core. What is prepared is not part of it.
  double nanoseconds(std::span<const double> inputs, int evaluations);

  bool compiled() const;
  const std::string& note() const;  // why it is interpreted
  const ThreadedProgram& program() const;

 private:
  struct ThreadPool;
  std::unique_ptr<ThreadPool> pool_;
};

// All tasks on one processor, in an order to do them.
Schedule one_after_another(const TaskGraph&);

// From one core to another and back, in nanoseconds: what crossing costs here. 0 with one core.
double round_trip_nanoseconds();

// The words a reader needs to see what was won or lost.
struct Achieved {
  double one_thread = 0, measured = 0;  // ns per evaluation
  double model = 0;                     // one_thread · makespan / total: if crossing were free
  int crossings = 0, waits = 0;
  bool compiled = false;
};
Achieved measure(const TaskedGraph&, const Schedule&, std::span<const double> inputs,
                 int evaluations);

}  // namespace parid::schedule
