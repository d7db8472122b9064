// Heterogeneous earliest finish time (Topcuoglu, Hariri and Wu 2002): tasks by the longest path to
// the end, with mean durations and communication; each is put into the gap of any processor in
// which it ends first.

#include <map>
#include <numeric>

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {
namespace {

// The gaps of one processor as begin and end. The last gap has no end.
class Gaps {
 public:
  // The earliest start, not before `ready`, in a gap that is long enough.
  Time find(Time ready, Time duration) const {
    auto gap = gap_.upper_bound(ready);
    if (gap != gap_.begin()) --gap;
    for (; gap != gap_.end(); ++gap) {
      const Time start = std::max(ready, gap->first);
      if (start + duration <= gap->second) return start;
    }
    return ready;  // not reached: the last gap has no end
  }
  void take(Time start, Time end) {
    if (start == end) return;
    auto gap = std::prev(gap_.upper_bound(start));
    const Time until = gap->second;
    gap->second = start;
    if (gap->first == start) gap_.erase(gap);
    if (end < until) gap_[end] = until;
  }

 private:
  static constexpr Time never = Time{1} << 60;
  std::map<Time, Time> gap_ = {{0, never}};
};

std::vector<double> upward_ranks(const TaskGraph& g, const Machine& m) {
  double slowness = 0;
  for (int p = 0; p < m.processors; ++p) slowness += 1 / m.speed_of(p);
  slowness /= m.processors;
  std::vector<double> rank(g.size(), 0);
  const std::vector<int> order = g.order();
  const double crossing = m.processors > 1 ? 1 : 0;
  for (auto t = order.rbegin(); t != order.rend(); ++t) {
    for (const Link& l : g.after(*t))
      rank[*t] = std::max(rank[*t],
                          rank[l.task] + crossing * static_cast<double>(m.communication(l.words)));
    rank[*t] += slowness * static_cast<double>(g[*t].duration);
  }
  return rank;
}

}  // namespace

Outcome heft(const TaskGraph& g, const Machine& m, const SearchLimits&) {
  const std::vector<double> upward = upward_ranks(g, m);
  // Among equal ranks predecessors come first: a task of no duration may have its successor's rank.
  const std::vector<int> order = g.order();
  std::vector<int> place(g.size()), sorted(g.size());
  for (int k = 0; k < g.size(); ++k) place[order[k]] = k;
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
    return upward[a] != upward[b] ? upward[a] > upward[b] : place[a] < place[b];
  });
  std::vector<Gaps> gaps(m.processors);
  Schedule s{m.processors, std::vector<Placement>(g.size())};
  for (const int t : sorted) {
    Placement best;
    for (int p = 0; p < m.processors; ++p) {
      Time ready = 0;
      for (const Link& l : g.before(t)) {
        const Placement& b = s.placement[l.task];
        ready = std::max(ready, b.end + (b.processor == p ? 0 : m.communication(l.words)));
      }
      const Time takes = m.duration(g[t].duration, p), start = gaps[p].find(ready, takes);
      if (p == 0 || start + takes < best.end) best = {t, p, start, start + takes};
    }
    gaps[best.processor].take(best.start, best.end);
    s.placement[t] = best;
  }
  return {s};
}

}  // namespace parid::schedule
