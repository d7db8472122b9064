// Runs a schedule on threads, each pinned to its own core. Threads wait for one another by spinning
// on a count (threaded_program.hpp), without locks or sleeping.
//
// Compiled if a compiler is available, interpreted otherwise. The threads also spin between
// evaluations, for the lifetime of the executor: it is meant for measurements and for control loops
// with dedicated cores.

#pragma once

#include <memory>
#include <span>
#include <string>

#include "schedule/layer.hpp"
#include "schedule/threaded_program.hpp"

namespace parid::schedule {

class Executor {
 public:
  // Throws parid::Error if the schedule has more processors than there are available cores.
  Executor(const TaskedGraph&, const Schedule&);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // The caller first computes the values that depend on positions alone.
  void evaluate(std::span<const double> inputs, std::span<double> outputs);

  // Nanoseconds per evaluation of the tasks, from the start signal to all processors until all are
  // seen to have finished; the best of many short rounds, because other programs may use a core.
  // Does not include the prepared values.
  double nanoseconds(std::span<const double> inputs, int evaluations);

  bool compiled() const;
  const std::string& note() const;  // why it is interpreted
  const ThreadedProgram& program() const;

 private:
  struct ThreadPool;
  std::unique_ptr<ThreadPool> pool_;
};

// All tasks on one processor, in a valid order.
Schedule one_after_another(const TaskGraph&);

// Nanoseconds from one core to another and back: the cost of an exchange here. 0 with one core.
double round_trip_nanoseconds();

// Measured and modelled times of a schedule.
struct Achieved {
  double one_thread = 0, measured = 0;  // ns per evaluation
  double model = 0;                     // one_thread · makespan / total: with free communication
  int crossings = 0, waits = 0;
  bool compiled = false;
};
Achieved measure(const TaskedGraph&, const Schedule&, std::span<const double> inputs,
                 int evaluations);

}  // namespace parid::schedule
