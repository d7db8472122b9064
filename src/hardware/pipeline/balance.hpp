// Delay balancing: when each operation starts so that all operands of one sample meet, with as few
// buffer stages as can be.
//
// A signal that is ready before its reader starts waits in a chain of registers, one per stage.
// With starts t, ready times r = t + latency and chains of length L, the least buffering is
//
//   min Σ weight L   with   t_reader ≥ r_signal,   L_signal ≥ t_reader − r_signal,   outputs at T
//
// All constraints are on differences, so this is the dual of a flow of minimum cost, and the starts
// are whole numbers. From the earliest ones, pushing (differences.hpp) is faster than network
// simplex (LEMON), which starts from nothing; both find the least.

#pragma once

#include "hardware/layer.hpp"
#include "hardware/pipeline/network.hpp"

namespace parid::hardware {

// Who shares a chain: all readers of a signal, at its taps; none but the ports of one reader; none.
enum class Chains { shared, per_edge, per_port };

struct Staging {
  std::vector<int> start;  // of each operation, in stages
  int latency = 0;         // from the inputs to the outputs

  int ready(const Network& n, int signal) const {
    const int op = n.signals[signal].operation;
    return op < 0 ? 0 : start[op] + n.operations[op].latency;
  }
};

Staging earliest(const Network&);  // each operation as soon as it can
Staging latest(const Network&);    // each as late as it can, without a longer way
// The fewest buffer stages of this kind, at the shortest latency. Among equals, the one that would
// need the fewest if every edge had a chain of its own; the earliest where that is one of them.
// Where several are least, which one it is depends on the solver; by size, simplex below 5000
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

// Throws std::logic_error where an operation starts before one of its operands is ready, or two
// ways from the inputs to it take unequal times with the chains that `lines` says; the outputs
// likewise.
void check(const Network&, const Staging&, const std::vector<DelayLine>& lines);

}  // namespace parid::hardware
