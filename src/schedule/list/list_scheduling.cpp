#include "schedule/list/list_scheduling.hpp"

#include <queue>

#include "schedule/scheduler.hpp"

namespace parid::schedule {
namespace {

using Event = std::pair<Time, int>;
template <class T>
using Smallest = std::priority_queue<T, std::vector<T>, std::greater<>>;

// Equal processors, free communication: time advances from one end of a task to the next.
Schedule by_events(const TaskGraph& g, int processors, const std::vector<int>& rank) {
  std::vector<int> task_of(g.size()), waits(g.size());
  for (int t = 0; t < g.size(); ++t) task_of[rank[t]] = t;
  Schedule s{processors, std::vector<Placement>(g.size())};
  Smallest<int> ready, idle;  // by rank; by number
  Smallest<Event> running;    // end, task
  for (int p = 0; p < processors; ++p) idle.push(p);
  for (int t = 0; t < g.size(); ++t) {
    waits[t] = static_cast<int>(g.before(t).size());
    if (waits[t] == 0) ready.push(rank[t]);
  }
  Time now = 0;
  for (;;) {
    while (!ready.empty() && !idle.empty()) {
      const int t = task_of[ready.top()], p = idle.top();
      ready.pop();
      idle.pop();
      s.placement[t] = {t, p, now, now + g[t].duration};
      running.push({now + g[t].duration, t});
    }
    if (running.empty()) return s;
    now = running.top().first;
    while (!running.empty() && running.top().first == now) {
      const int t = running.top().second;
      running.pop();
      idle.push(s.placement[t].processor);
      for (const Link& l : g.after(t))
        if (--waits[l.task] == 0) ready.push(rank[l.task]);
    }
  }
}

// Any machine: ready tasks in the order of their ranks, each on the processor where it ends first.
Schedule by_finish(const TaskGraph& g, const Machine& m, const std::vector<int>& rank) {
  std::vector<int> task_of(g.size()), waits(g.size());
  for (int t = 0; t < g.size(); ++t) task_of[rank[t]] = t;
  Schedule s{m.processors, std::vector<Placement>(g.size())};
  std::vector<Time> free(m.processors, 0);
  Smallest<int> ready;
  for (int t = 0; t < g.size(); ++t) {
    waits[t] = static_cast<int>(g.before(t).size());
    if (waits[t] == 0) ready.push(rank[t]);
  }
  while (!ready.empty()) {
    const int t = task_of[ready.top()];
    ready.pop();
    Placement best;
    for (int p = 0; p < m.processors; ++p) {
      Time start = free[p];
      for (const Link& l : g.before(t)) {
        const Placement& b = s.placement[l.task];
        start = std::max(start, b.end + (b.processor == p ? 0 : m.communication(l.words)));
      }
      const Time end = start + m.duration(g[t].duration, p);
      if (p == 0 || end < best.end) best = {t, p, start, end};
    }
    s.placement[t] = best;
    free[best.processor] = best.end;
    for (const Link& l : g.after(t))
      if (--waits[l.task] == 0) ready.push(rank[l.task]);
  }
  return s;
}

}  // namespace

Schedule list_schedule(const TaskGraph& g, const Machine& m, const std::vector<int>& rank) {
  return m.plain() ? by_events(g, m.processors, rank) : by_finish(g, m, rank);
}

Schedule backward_list_schedule(const TaskGraph& g, const Machine& m,
                                const std::vector<int>& rank_of_reversed) {
  Schedule s = list_schedule(reversed(g), m, rank_of_reversed);
  const Time end = makespan(s);
  for (Placement& p : s.placement) p = {p.task, p.processor, end - p.end, end - p.start};
  return s;
}

std::vector<int> level_ranks(const TaskGraph& g) {
  const std::vector<Time> level = levels(g);
  return ranks(g.size(), [&](int a, int b) { return level[a] > level[b]; });
}

std::vector<int> level_successor_ranks(const TaskGraph& g) {
  const std::vector<Time> level = levels(g);
  return ranks(g.size(), [&](int a, int b) {
    return std::pair(level[a], g.after(a).size()) > std::pair(level[b], g.after(b).size());
  });
}

Schedule assigned(const TaskGraph& g, int processors, const std::vector<Time>& start) {
  Schedule s{processors, std::vector<Placement>(g.size())};
  // Of tasks that start together, those of no duration first: they leave their processor free.
  const std::vector<int> rank = ranks(g.size(), [&](int a, int b) {
    return std::pair(start[a], g[a].duration) < std::pair(start[b], g[b].duration);
  });
  std::vector<int> sorted(g.size());
  for (int t = 0; t < g.size(); ++t) sorted[rank[t]] = t;
  Smallest<Event> running;  // end, processor
  Smallest<int> idle;
  for (int p = 0; p < processors; ++p) idle.push(p);
  for (const int t : sorted) {
    while (!running.empty() && running.top().first <= start[t]) {
      idle.push(running.top().second);
      running.pop();
    }
    // A task of no duration needs no free processor.
    const int p = idle.empty() ? 0 : idle.top();
    s.placement[t] = {t, p, start[t], start[t] + g[t].duration};
    if (g[t].duration == 0) continue;
    idle.pop();
    running.push({s.placement[t].end, p});
  }
  return s;
}

// ---- Highest level first (Hu 1961): the ready task with the longest path to the end.

Outcome hlf(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  return {list_schedule(g, m, level_ranks(g))};
}

// ---- Critical path / most immediate successors first (Kasahara and Narita 1984): highest level
// first, and of equal levels the task with the most successors.

Outcome cp_misf(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  return {list_schedule(g, m, level_successor_ranks(g))};
}

// ---- The strategy of Dhanaraj (1990), Section 4.3.3: layer after layer onto the processors, as
// bins; a cycle that a layer does not fill takes ready tasks of the layers after it, nearest first.

Outcome dhanaraj(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  const std::vector<int> layer = layers(g);
  return {list_schedule(g, m, ranks(g.size(), [&](int a, int b) { return layer[a] < layer[b]; }))};
}

// ---- The same where it may choose: within a layer the longest path first, and also from the end,
// where layers are counted from the last. The shortest of these and of the printed one.

Outcome layer_packing(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  auto packed = [&](const TaskGraph& of) {
    const std::vector<int> layer = layers(of);
    const std::vector<int> level = level_successor_ranks(of);
    return ranks(of.size(), [&](int a, int b) {
      return std::pair(layer[a], level[a]) < std::pair(layer[b], level[b]);
    });
  };
  std::vector<Schedule> all = {dhanaraj(g, m, limits).schedule, list_schedule(g, m, packed(g))};
  if (m.plain()) {
    TaskGraph back = reversed(g);
    const int last = layer_count(g);
    const std::vector<int> layer = layers(g), level = level_successor_ranks(back);
    const auto from_the_end = [&](bool by_level) {
      return ranks(g.size(), [&](int a, int b) {
        return std::pair(last - layer[a], by_level ? level[a] : 0) <
               std::pair(last - layer[b], by_level ? level[b] : 0);
      });
    };
    for (const bool by_level : {false, true})
      all.push_back(backward_list_schedule(g, m, from_the_end(by_level)));
  }
  return {*std::min_element(all.begin(), all.end(), [](const Schedule& a, const Schedule& b) {
    return makespan(a) < makespan(b);
  })};
}

}  // namespace parid::schedule
