// Random graphs of tasks in layers, and the shortest schedule by trying everything: independent of
// every scheduler and small enough to be sure of.

#pragma once

#include <algorithm>
#include <functional>
#include <random>

#include "schedule/schedule.hpp"
#include "tests/layer.hpp"

namespace parid::test {

inline TaskGraph random_tasks(unsigned seed, int size, int layers, Time longest,
                              bool zeros = false) {
  std::mt19937 random(seed);
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  TaskGraph g;
  std::vector<int> layer;
  for (int t = 0; t < size; ++t) {
    layer.push_back(below(layers));
    const Time d = zeros && below(5) == 0 ? 0 : 1 + below(static_cast<int>(longest));
    g.add({"t" + std::to_string(t), d, 1 + layer.back() % 3});
  }
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < size; ++b)
      if (layer[a] < layer[b] && below(3) == 0) g.precede(a, b, 1 + below(3));
  return g;
}

// Every order of the tasks, and every processor for each, appended as early as can be: the shortest
// of all schedules is among them.
inline Time shortest_by_force(const TaskGraph& g, const Machine& m) {
  std::vector<Placement> at(g.size());
  std::vector<Time> free(m.processors, 0);
  std::vector<char> done(g.size(), 0);
  Time best = Time{1} << 40;
  std::function<void(int, Time)> go = [&](int placed, Time length) {
    if (length >= best) return;
    if (placed == g.size()) {
      best = length;
      return;
    }
    for (int t = 0; t < g.size(); ++t) {
      bool can = !done[t];
      for (const Link& l : g.before(t)) can = can && done[l.task];
      for (int p = 0; can && p < m.processors; ++p) {
        Time start = free[p];
        for (const Link& l : g.before(t))
          start = std::max(
              start, at[l.task].end + (at[l.task].processor == p ? 0 : m.communication(l.words)));
        const Time was = free[p], end = start + m.duration(g[t].duration, p);
        at[t] = {t, p, start, end};
        free[p] = end;
        done[t] = 1;
        go(placed + 1, std::max(length, end));
        free[p] = was;
        done[t] = 0;
      }
    }
  };
  go(0, 0);
  return best;
}

}  // namespace parid::test
