#include "design/step_timing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace parid::design {

StepTiming step_timing(const StepProgram& program, const Target& target) {
  StepTiming t;
  const std::size_t p = program.processors.size();
  t.busy.resize(p);
  std::vector<std::size_t> next(p);
  std::vector<double> clock(p), arrival(program.messages.size(), INFINITY);
  std::map<std::pair<int, int>, double> free, occupied;  // of the media
  const auto medium = [&](const StepMessage& m) {
    return target.bus ? std::pair(0, 0) : std::pair(m.from, m.to);
  };
  for (;;) {
    std::size_t best = p;
    double earliest = INFINITY;
    bool open = false;
    for (std::size_t k = 0; k < p; ++k) {
      const auto& sections = program.processors[k].sections;
      if (next[k] >= sections.size()) continue;
      open = true;
      double start = clock[k];
      for (const int m : sections[next[k]].receives)
        if (program.messages[static_cast<std::size_t>(m)].age == 0)
          start = std::max(start, arrival[static_cast<std::size_t>(m)]);
      if (start < earliest) {
        earliest = start;
        best = k;
      }
    }
    if (!open) break;
    if (best == p) throw std::logic_error("sections of a control step wait in a circle");
    const StepSection& s = program.processors[best].sections[next[best]];
    const double takes = target.seconds_of(s.count);
    t.order.emplace_back(static_cast<int>(best), static_cast<int>(next[best]));
    t.busy[best] += takes;
    clock[best] = earliest + takes;
    for (const int number : s.sends) {
      const StepMessage& m = program.messages[static_cast<std::size_t>(number)];
      const double carried =
          target.message_start + target.message_word * static_cast<double>(m.values.size());
      double& busy_until = free[medium(m)];
      busy_until = std::max(busy_until, clock[best]) + carried;
      occupied[medium(m)] += carried;
      arrival[static_cast<std::size_t>(number)] = busy_until;
    }
    ++next[best];
  }
  for (const double x : clock) t.time = std::max(t.time, x);
  for (const auto& [which, seconds] : occupied) t.medium = std::max(t.medium, seconds);
  t.time = std::max(t.time, t.medium) + target.overhead;
  return t;
}

}  // namespace parid::design
