// Dynamic highest level first / most immediate successors first (after Chen, Lee and Hou 1988).
//
// Levels and successors are evaluated each time a processor is free: of the ready tasks, the
// highest level; of equal levels, the one whose end makes the most successors ready (those that
// wait for nothing else); then the one with the most successors. The paper gives its rule in the
// abstract only; this is our interpretation.

#include <set>

#include "schedule/list/list_scheduling.hpp"
#include "schedule/scheduler.hpp"

namespace parid::schedule {
namespace {

// Ready tasks in their current order, updated as tasks are taken.
class Ready {
 public:
  explicit Ready(const TaskGraph& g)
      : g_(g), level_(levels(g)), waits_(g.size()), frees_(g.size(), 0) {
    for (int t = 0; t < g.size(); ++t) waits_[t] = static_cast<int>(g.before(t).size());
    for (int t = 0; t < g.size(); ++t)
      if (waits_[t] == 1) ++frees_[g.before(t)[0].task];
    for (int t = 0; t < g.size(); ++t)
      if (waits_[t] == 0) set_.insert(key(t));
  }
  bool empty() const { return set_.empty(); }
  int take() {
    const int t = -std::get<3>(*set_.rbegin());
    set_.erase(std::prev(set_.end()));
    return t;
  }
  void ended(int t) {
    done_.resize(g_.size(), false);
    done_[t] = true;
    for (const Link& l : g_.after(t)) {
      if (--waits_[l.task] == 0) set_.insert(key(l.task));
      if (waits_[l.task] != 1) continue;
      for (const Link& b : g_.before(l.task)) {
        if (done_[b.task]) continue;
        const bool listed = set_.erase(key(b.task)) > 0;
        ++frees_[b.task];
        if (listed) set_.insert(key(b.task));
      }
    }
  }

 private:
  using Key = std::tuple<Time, int, int, int>;
  Key key(int t) const { return {level_[t], frees_[t], static_cast<int>(g_.after(t).size()), -t}; }

  const TaskGraph& g_;
  std::vector<Time> level_;
  std::vector<int> waits_, frees_;
  std::vector<bool> done_;
  std::set<Key> set_;
};

}  // namespace

Outcome dhlf_misf(const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  if (!m.plain()) return cp_misf(g, m, limits);  // it also compares finish times of processors
  Ready ready(g);
  std::set<std::pair<Time, int>> running;  // end, task
  std::vector<Time> start(g.size(), 0);
  Time now = 0;
  for (;;) {
    while (!ready.empty() && static_cast<int>(running.size()) < m.processors) {
      const int t = ready.take();
      start[t] = now;
      running.insert({now + g[t].duration, t});
    }
    if (running.empty()) break;
    now = running.begin()->first;
    while (!running.empty() && running.begin()->first == now) {
      const int t = running.begin()->second;
      running.erase(running.begin());
      ready.ended(t);
    }
  }
  return {assigned(g, m.processors, start)};
}

}  // namespace parid::schedule
