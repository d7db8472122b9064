// Delay balancing: start times of operations for which all operands of one sample meet, with the
// fewest buffer stages.
//
// A signal that is ready before its reader starts waits in a chain of registers, one per stage.
// With starts t, ready times r = t + latency and chains of length L, the least buffering is
//
//   min Σ weight L   with   t_reader ≥ r_signal,   L_signal ≥ t_reader − r_signal,   outputs at T
//
// All constraints are on differences, so this is the dual of a minimum-cost flow, and the starts
// are integers. From the earliest starts, pushing (differences.hpp) is faster than network simplex
// (LEMON), which has no initial solution; both find the optimum.

#pragma once

#include "hardware/layer.hpp"
#include "hardware/pipeline/network.hpp"

namespace parid::hardware {

// How chains are shared: by all readers of a signal, at taps; by the ports of one reader; not at
// all.
enum class Chains { shared, per_edge, per_port };

struct Staging {
  std::vector<int> start;  // of each operation, in stages
  int latency = 0;         // from the inputs to the outputs

  int ready(const Network& n, int signal) const {
    const int op = n.signals[signal].operation;
    return op < 0 ? 0 : start[op] + n.operations[op].latency;
  }
};

Staging earliest(const Network&);  // each operation as early as possible
Staging latest(const Network&);    // each as late as possible at the same latency
// The fewest buffer stages of this kind, at the shortest latency. Among equals, the schedule that
// would need the fewest if every edge had its own chain; the earliest one if it is among them. If
// several schedules are optimal, the result depends on the solver. by_size: simplex below 5000
// operations.
enum class Solver { by_size, pushing, simplex };
Staging balanced(const Network&, Chains = Chains::shared, Solver = Solver::by_size);

struct DelayLine {
  int signal, length;
  std::vector<int> taps;  // delays at which it is read, ascending, without 0
};
struct Buffers {
  long shared = 0, per_edge = 0, per_port = 0;  // weighted stages of this schedule, by kind
  int tapped = 0;                               // lines read at more than one delay
  std::vector<DelayLine> lines;
};
Buffers buffers(const Network&, const Staging&);

// Throws std::logic_error if an operation starts before one of its operands is ready, or if two
// paths from the inputs to an operation or output have unequal delays with the chains of `lines`.
void check(const Network&, const Staging&, const std::vector<DelayLine>& lines);

}  // namespace parid::hardware
