// Units that take turns: which of them does what, and in which register each value waits.
//
// A sample enters every `interval` clocks, so a unit is free for an operation if no other starts at
// the same clock modulo that, and a register if none of its values is alive then. A value that
// waits longer than the interval moves on to another register before its successor comes: `place`
// lists them, an interval each. The last part of its way may share a register with others (arcs of
// a circle that do not overlap); those that one unit writes come together, for then nothing need
// choose what to write.

#pragma once

#include <span>

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"

namespace parid::hardware {

struct Binding {
  std::vector<int> unit;                // of each operation, among those of its kind
  std::vector<std::vector<int>> place;  // of each signal, the registers it passes
  int registers = 0;

  // Where a signal is, so many clocks after it was ready: −1 while it stands at its unit's output.
  int at(int signal, int wait, int interval) const {
    return wait == 0 ? -1 : place[signal][static_cast<std::size_t>((wait - 1) / interval)];
  }
};

// `kind` tells operations apart that need another kind of unit.
Binding bound(const Network&, const Staging&, int interval, std::span<const int> kind);

// Throws std::logic_error where a unit starts, or a register holds, two things at once.
void check(const Network&, const Staging&, int interval, std::span<const int> kind, const Binding&);

}  // namespace parid::hardware
