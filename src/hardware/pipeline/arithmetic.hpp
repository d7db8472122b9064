// A fixed-point graph as a pipeline of multipliers, adders, sine units and dividers, or of the same
// units in floating point.
//
// Fully unrolled, each operation has its own unit and a sample enters with every clock. Shared, a
// given number of multipliers and of adders is used in turn: a sample enters every `interval`
// clocks, and no two operations of a unit start at the same clock modulo the interval (modulo
// scheduling; there is no feedback, so the interval is what the busiest kind of unit needs).

#pragma once

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/pipeline/binding.hpp"
#include "hardware/pipeline/formats.hpp"
#include "hardware/pipeline/unit_latency.hpp"

namespace parid::hardware {

enum class Unit : std::uint8_t { multiplier, adder, sine, divider };
inline constexpr int unit_kinds = 4;

struct ArithmeticPipeline {
  FixedGraph fixed;
  UnitLatency latency;
  Network network;
  std::vector<Id> node;        // of each operation; of a sine unit, the angle
  std::vector<bool> sine;      // whether the operation is a sine unit
  std::vector<int> signal_of;  // of each node; −1 for a constant
  Staging schedule;
  int interval = 1;
  Binding binding;  // of shared units; unrolled, every operation and every waiting word has its own
  int multipliers = 0, adders = 0, sine_units = 0;     // built
  int multiplications = 0, additions = 0, angles = 0;  // per sample
  long registers = 0;                                  // words that wait, at once
  int dividers = 0, divisions = 0;                     // built, and per sample

  bool is_sine(int operation) const { return sine[operation]; }
  Unit unit_of(int operation) const {
    if (sine[operation]) return Unit::sine;
    const Op op = fixed.graph[node[operation]].op;
    return op == Op::mul ? Unit::multiplier : op == Op::div ? Unit::divider : Unit::adder;
  }
  int built(Unit kind) const {
    const int all[unit_kinds] = {multipliers, adders, sine_units, dividers};
    return all[static_cast<std::size_t>(kind)];
  }
  bool is_shared() const { return !binding.unit.empty(); }
  double utilisation() const;  // of multipliers and adders
};

ArithmeticPipeline unrolled(FixedGraph, UnitLatency = {});
// On `units` shared multipliers and as many adders, with the fewest registers found. Sine units and
// dividers accept new operands at every clock: there are as few as the interval allows.
ArithmeticPipeline shared_units(FixedGraph, int units, UnitLatency = {});

// Throws std::logic_error if an operation starts before its operands, more operations start at a
// clock modulo the interval than there are units, or a unit or register has two uses at once.
void check(const ArithmeticPipeline&);

}  // namespace parid::hardware
