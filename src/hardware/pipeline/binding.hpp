// Shared units: which unit runs each operation, and which register holds each value.
//
// A sample enters every `interval` clocks, so a unit is free for an operation if no other starts at
// the same clock modulo the interval, and a register is free if none of its values is alive then. A
// value that waits longer than the interval moves to another register before its successor arrives:
// `place` lists the registers, one per interval. The last part of a wait may share a register with
// others (non-overlapping arcs of a circle). Values that one unit writes are put together, which
// needs no multiplexer at the register's input.

#pragma once

#include <span>

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"

namespace parid::hardware {

struct Binding {
  std::vector<int> unit;                // of each operation, among units of its kind
  std::vector<std::vector<int>> place;  // registers that each signal passes
  int registers = 0;

  // The register of a signal a number of clocks after it was ready; −1 while it is at its unit's
  // output.
  int at(int signal, int wait, int interval) const {
    return wait == 0 ? -1 : place[signal][static_cast<std::size_t>((wait - 1) / interval)];
  }
};

// `kind` distinguishes operations that need different kinds of units.
Binding bound(const Network&, const Staging&, int interval, std::span<const int> kind);

// Throws std::logic_error if a unit starts two operations, or a register holds two values, at once.
void check(const Network&, const Staging&, int interval, std::span<const int> kind, const Binding&);

}  // namespace parid::hardware
