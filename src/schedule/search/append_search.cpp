#include "schedule/search/append_search.hpp"

#include <algorithm>
#include <numeric>

namespace parid::schedule {

AppendSearch::AppendSearch(const TaskGraph& g, const Machine& m, Schedule first, Time bound,
                           std::function<bool()> stop)
    : g_(g),
      m_(m),
      best_(std::move(first)),
      now_(best_),
      shortest_(makespan(best_)),
      bound_(bound),
      stop_(std::move(stop)),
      level_(g.size(), 0),
      free_(m.processors, 0),
      waits_(g.size()),
      by_level_(g.size()),
      used_(m.processors, 0),
      done_(g.size(), 0) {
  const std::vector<int> order = g.order();
  for (auto t = order.rbegin(); t != order.rend(); ++t) {
    for (const Link& l : g.after(*t)) level_[*t] = std::max(level_[*t], level_[l.task]);
    Time least = m.duration(g[*t].duration, 0);
    for (int p = 1; p < m.processors; ++p) least = std::min(least, m.duration(g[*t].duration, p));
    level_[*t] += least;
  }
  for (int t = 0; t < g.size(); ++t) {
    waits_[t] = static_cast<int>(g.before(t).size());
    work_left_ += g[t].duration;
  }
  std::iota(by_level_.begin(), by_level_.end(), 0);
  std::stable_sort(by_level_.begin(), by_level_.end(),
                   [&](int a, int b) { return level_[a] > level_[b]; });
}

bool AppendSearch::run() {
  search(0, 0);
  return !stopped_;
}

// The remaining work, divided over all processors from the time at which each is free.
Time AppendSearch::bound(Time length) const {
  double filled = static_cast<double>(work_left_);
  for (int p = 0; p < m_.processors; ++p)
    filled += static_cast<double>(std::max(free_[p], last_start_)) * m_.speed_of(p);
  return std::max(length, static_cast<Time>(std::ceil(filled / m_.together() - 1e-9)));
}

void AppendSearch::search(int placed, Time length) {
  if (stopped_ || shortest_ <= bound_) return;
  if (++nodes_ % 1024 == 0 && stop_()) stopped_ = true;
  if (placed == g_.size()) {
    if (length < shortest_) {
      best_ = now_;
      shortest_ = length;
    }
    return;
  }
  if (bound(length) >= shortest_) return;
  const Time start_before = last_start_;
  for (const int t : by_level_) {
    if (done_[t] || waits_[t] > 0) continue;
    bool empty_tried = false;
    for (int p = 0; p < m_.processors; ++p) {
      if (used_[p] == 0 && m_.equal()) {
        if (empty_tried) continue;
        empty_tried = true;
      }
      Time start = free_[p];
      for (const Link& l : g_.before(t)) {
        const Placement& b = now_.placement[l.task];
        start = std::max(start, b.end + (b.processor == p ? 0 : m_.communication(l.words)));
      }
      if (start < start_before) continue;  // tasks are appended in the order of their starts
      if (start + level_[t] >= shortest_) continue;
      const Time end = start + m_.duration(g_[t].duration, p), free = free_[p];
      now_.placement[t] = {t, p, start, end};
      free_[p] = end;
      ++used_[p];
      done_[t] = 1;
      work_left_ -= g_[t].duration;
      last_start_ = start;
      for (const Link& l : g_.after(t)) --waits_[l.task];
      search(placed + 1, std::max(length, end));
      for (const Link& l : g_.after(t)) ++waits_[l.task];
      free_[p] = free;
      --used_[p];
      done_[t] = 0;
      work_left_ += g_[t].duration;
      last_start_ = start_before;
    }
  }
}

}  // namespace parid::schedule
