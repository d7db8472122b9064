// One processor per joint (Luh and Lin 1982): a joint's tasks stay on its processor, and each
// processor takes its ready tasks by level. With fewer processors than joints, neighbours share
// one.
//
// search/luh_lin.cpp finds the best order on each processor; this one is its first.

#include <algorithm>
#include <queue>

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {
namespace {

using Waiting = std::priority_queue<int, std::vector<int>, std::greater<>>;  // ranks

}  // namespace

Outcome joint_levels(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  int joints = 1;
  for (int t = 0; t < g.size(); ++t) joints = std::max(joints, g[t].joint);
  const int used = std::min(joints, m.processors);
  auto processor = [&](int t) { return std::max(0, g[t].joint - 1) * used / joints; };

  const std::vector<int> rank = level_successor_ranks(g);
  std::vector<int> task_of(g.size()), waits(g.size());
  std::vector<Time> ready_at(g.size(), 0), free(used, 0);
  for (int t = 0; t < g.size(); ++t) task_of[rank[t]] = t;
  // Tasks without unfinished predecessors, with the time from which they are ready.
  std::priority_queue<std::pair<Time, int>, std::vector<std::pair<Time, int>>, std::greater<>>
      known;
  std::vector<Waiting> ready(used);
  Schedule s{m.processors, std::vector<Placement>(g.size())};
  for (int t = 0; t < g.size(); ++t) {
    waits[t] = static_cast<int>(g.before(t).size());
    if (waits[t] == 0) known.push({0, t});
  }
  // Instants at which a task may start: tasks become ready, processors free.
  std::priority_queue<Time, std::vector<Time>, std::greater<>> instants;
  instants.push(0);
  while (!instants.empty()) {
    const Time now = instants.top();
    while (!instants.empty() && instants.top() == now) instants.pop();
    for (bool more = true; more;) {  // tasks of no duration make others ready at once
      more = false;
      while (!known.empty() && known.top().first <= now) {
        const int t = known.top().second;
        known.pop();
        ready[processor(t)].push(rank[t]);
      }
      for (int p = 0; p < used; ++p) {
        if (free[p] > now || ready[p].empty()) continue;
        const int t = task_of[ready[p].top()];
        ready[p].pop();
        const Time end = now + m.duration(g[t].duration, p);
        s.placement[t] = {t, p, now, end};
        free[p] = end;
        instants.push(end);
        more = true;
        for (const Link& l : g.after(t)) {
          const Time there = end + (processor(l.task) == p ? 0 : m.communication(l.words));
          ready_at[l.task] = std::max(ready_at[l.task], there);
          if (--waits[l.task] > 0) continue;
          known.push({ready_at[l.task], l.task});
          instants.push(ready_at[l.task]);
        }
      }
    }
  }
  return {s};
}

}  // namespace parid::schedule
