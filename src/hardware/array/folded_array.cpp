// Lathrop's arrays on one node or one tier, and their buffers.

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "hardware/array/systolic.hpp"

namespace parid::hardware {
namespace {

using Processor = std::tuple<bool, int, int>;  // direction, node of the tier, place

Processor processor(const SystolicArray::Operation& o) { return {o.forward, o.slot, o.place}; }

// The clocks at which a processor is busy, modulo the interval.
struct Turns {
  std::vector<bool> busy;
  int longest = 0;  // operation that it has
  int left = 0;     // operations yet to be placed

  // Starts at `t` or later, where the clocks are free and enough room is left for the remaining
  // operations. If there was room for all at first, such a start always exists: the beginning of a
  // gap that is long enough.
  bool take(int t) {
    if (!set(t, true)) return false;
    if (room() < left - 1) return set(t, false), false;
    --left;
    return true;
  }

 private:
  bool set(int t, bool on) {
    const int n = static_cast<int>(busy.size());
    for (int k = 0; on && k < longest; ++k)
      if (busy[(t + k) % n]) return false;
    for (int k = 0; k < longest; ++k) busy[(t + k) % n] = on;
    return true;
  }
  int room() const {  // free starts for operations, once around from the end of a placed one
    const int n = static_cast<int>(busy.size());
    const int from = static_cast<int>(std::find(busy.begin(), busy.end(), true) - busy.begin());
    int gap = 0, count = 0;
    for (int k = 1; k <= n; ++k) {
      gap = busy[(from + k) % n] ? 0 : gap + 1;
      if (gap == longest) ++count, gap = 0;
    }
    return count;
  }
};

int ceiling(int a, int b) { return (a + b - 1) / b; }

}  // namespace

FoldedArray folded(const SystolicArray& a) {
  const Network& n = a.network;
  std::map<Processor, int> uses;
  int rounds = 1;
  for (const auto& o : a.operations) rounds = std::max(rounds, ++uses[processor(o)]);
  FoldedArray f;
  f.interval = rounds * a.interval();
  f.schedule.start.assign(a.operations.size(), 0);
  // In the order of the recursion, each as early as its processor is free.
  std::map<Processor, Turns> turns;
  for (std::size_t op = 0; op < a.operations.size(); ++op) {
    Turns& p = turns.try_emplace(processor(a.operations[op])).first->second;
    p.longest = std::max(p.longest, n.operations[op].latency);
    p.left = uses[processor(a.operations[op])];
    p.busy.assign(f.interval, false);
  }
  for (std::size_t op = 0; op < a.operations.size(); ++op) {
    int t = 0;
    for (const int s : n.operations[op].in) t = std::max(t, f.schedule.ready(n, s));
    Turns& p = turns.at(processor(a.operations[op]));
    while (!p.take(t)) ++t;
    f.schedule.start[op] = t;
  }
  for (const int s : n.outputs)
    f.schedule.latency = std::max(f.schedule.latency, f.schedule.ready(n, s));
  for (const auto& [p, k] : uses)
    ++(std::get<bool>(p) ? f.forward_processors : f.backward_processors);
  return f;
}

void check(const SystolicArray& a, const FoldedArray& f) {
  check(a.network, f.schedule, buffers(a.network, f.schedule).lines);
  std::map<Processor, std::vector<bool>> busy;
  for (std::size_t op = 0; op < a.operations.size(); ++op) {
    auto& slots = busy[processor(a.operations[op])];
    slots.resize(f.interval, false);
    for (int k = 0; k < a.network.operations[op].latency; ++k) {
      const int at = (f.schedule.start[op] + k) % f.interval;
      if (slots[at]) throw std::logic_error("a processor has two tasks at once");
      slots[at] = true;
    }
  }
}

ArrayBuffers array_buffers(const SystolicArray& a, const Staging& s, int interval) {
  const Network& n = a.network;
  auto node = [&](int op) { return std::pair(a.operations[op].forward, a.operations[op].node); };
  std::vector<bool> leaves(n.signals.size(), false);  // its node
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    for (const int in : n.operations[op].in)
      if (const int from = n.signals[in].operation;
          from < 0 || node(from) != node(static_cast<int>(op)))
        leaves[in] = true;
  for (const int out : n.outputs) leaves[out] = true;
  ArrayBuffers b;
  std::map<std::pair<bool, int>, long> inside;
  for (const DelayLine& l : buffers(n, s).lines) {
    // a value that waits longer than the interval has several instances alive
    const int held = ceiling(l.length, interval);
    if (leaves[l.signal]) {
      b.external += held;
    } else {
      b.internal += held;
      long& here = inside[node(n.signals[l.signal].operation)];
      b.most_internal = std::max(b.most_internal, here += held);
    }
  }
  return b;
}

double utilisation(const SystolicArray& a, int processors, int interval) {
  long busy = 0;
  for (const auto& o : a.network.operations) busy += o.latency;
  return static_cast<double>(busy) / (static_cast<double>(processors) * interval);
}

}  // namespace parid::hardware
