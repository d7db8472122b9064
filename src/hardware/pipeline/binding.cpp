#include "hardware/pipeline/binding.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace parid::hardware {
namespace {

// Clocks from … from + length − 1, modulo the interval.
struct Arc {
  int signal, from, length;
};

class Occupied {  // clocks of the interval at which a register is in use, and its writer
 public:
  explicit Occupied(int interval) : busy_(static_cast<std::size_t>(interval), false) {}
  bool fits(const Arc& a) const {
    for (int k = 0; k < a.length; ++k)
      if (busy_[index(a, k)]) return false;
    return true;
  }
  void take(const Arc& a, std::pair<int, int> writer) {
    for (int k = 0; k < a.length; ++k) busy_[index(a, k)] = true;
    writers.insert(writer);
  }
  std::set<std::pair<int, int>> writers;

 private:
  std::size_t index(const Arc& a, int k) const {
    return static_cast<std::size_t>(a.from + k) % busy_.size();
  }
  std::vector<bool> busy_;
};

// The clock that the fewest arcs cross: the best place to cut the circle.
int thinnest(const std::vector<Arc>& arcs, int interval) {
  std::vector<int> across(static_cast<std::size_t>(interval), 0);
  for (const Arc& a : arcs)
    for (int k = 1; k < a.length; ++k) ++across[static_cast<std::size_t>((a.from + k) % interval)];
  return static_cast<int>(std::min_element(across.begin(), across.end()) - across.begin());
}

}  // namespace

Binding bound(const Network& n, const Staging& s, int interval, std::span<const int> kind) {
  Binding b;
  std::map<std::pair<int, int>, int> started;  // by kind and clock
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    b.unit.push_back(started[{kind[op], s.start[op] % interval}]++);
  // The writer of a signal's next register; inputs and registers are distinct writers.
  auto writer = [&](int signal) {
    const int op = n.signals[signal].operation;
    if (!b.place[signal].empty()) return std::pair(-1, b.place[signal].back());
    return op < 0 ? std::pair(-2, signal) : std::pair(kind[op], b.unit[op]);
  };
  b.place.resize(n.signals.size());
  std::vector<Arc> parts;  // remainders of waits after whole intervals are subtracted
  for (const DelayLine& l : buffers(n, s).lines) {
    const int whole = (l.length - 1) / interval;
    for (int k = 0; k < whole; ++k) b.place[l.signal].push_back(b.registers++);
    parts.push_back({l.signal, (s.ready(n, l.signal) + 1) % interval, l.length - whole * interval});
  }
  const int cut = thinnest(parts, interval);
  auto order = [&](const Arc& a) {  // those across the cut first, then by start
    const int from = (a.from - cut + interval) % interval;
    return std::tuple(from + a.length <= interval, from, -a.length, a.signal);
  };
  std::sort(parts.begin(), parts.end(),
            [&](const Arc& a, const Arc& c) { return order(a) < order(c); });
  std::vector<Occupied> shared;
  const int first = b.registers;
  for (const Arc& a : parts) {
    const auto from = writer(a.signal);
    int chosen = -1;
    for (std::size_t r = 0; r < shared.size(); ++r)
      if (shared[r].fits(a) && (chosen < 0 || shared[r].writers.contains(from))) {
        chosen = static_cast<int>(r);
        if (shared[r].writers.contains(from)) break;
      }
    if (chosen < 0) {
      chosen = static_cast<int>(shared.size());
      shared.emplace_back(interval);
    }
    shared[chosen].take(a, from);
    b.place[a.signal].push_back(first + chosen);
  }
  b.registers = first + static_cast<int>(shared.size());
  return b;
}

void check(const Network& n, const Staging& s, int interval, std::span<const int> kind,
           const Binding& b) {
  std::set<std::tuple<int, int, int>> started;
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    if (!started.insert({kind[op], b.unit[op], s.start[op] % interval}).second)
      throw std::logic_error("a unit starts two operations at once");
  std::set<std::pair<int, int>> held;
  for (const DelayLine& l : buffers(n, s).lines)
    for (int wait = 1; wait <= l.length; ++wait)
      if (!held.insert({b.at(l.signal, wait, interval), (s.ready(n, l.signal) + wait) % interval})
               .second)
        throw std::logic_error("a register holds two values at once");
}

}  // namespace parid::hardware
