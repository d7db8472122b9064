#include "schedule/search/justification.hpp"

#include <algorithm>
#include <numeric>

namespace parid::schedule {

bool Justification::covers(const TaskGraph& g) { return total(g) <= 200'000 && g.size() <= 20'000; }

Justification::Justification(const TaskGraph& g, int processors)
    : g_(g),
      processors_(processors),
      position_(g.size()),
      start_(g.size(), 0),
      load_(total(g) + 1, 0),
      sorted_(g.size()) {
  const std::vector<int> order = g.order();
  for (int k = 0; k < g.size(); ++k) position_[order[k]] = k;
}

Time Justification::place(int t, Time ready) {
  const Time d = g_[t].duration;
  Time at = ready;
  for (Time k = at; k < at + d; ++k)
    if (load_[k] >= processors_) at = k + 1;
  for (Time k = at; k < at + d; ++k) ++load_[k];
  return at;
}

const std::vector<Time>& Justification::forward(const std::vector<int>& order) {
  std::fill(load_.begin(), load_.end(), 0);
  length_ = 0;
  for (const int t : order) {
    Time ready = 0;
    for (const Link& l : g_.before(t))
      ready = std::max(ready, start_[l.task] + g_[l.task].duration);
    start_[t] = place(t, ready);
    length_ = std::max(length_, start_[t] + g_[t].duration);
  }
  return start_;
}

void Justification::shift_right() {
  std::iota(sorted_.begin(), sorted_.end(), 0);
  std::sort(sorted_.begin(), sorted_.end(), [&](int a, int b) {
    const Time ea = start_[a] + g_[a].duration, eb = start_[b] + g_[b].duration;
    return ea != eb ? ea > eb : position_[a] > position_[b];
  });
  std::fill(load_.begin(), load_.begin() + length_ + 1, 0);
  for (const int t : sorted_) {
    const Time d = g_[t].duration;
    Time end = length_;
    for (const Link& l : g_.after(t)) end = std::min(end, start_[l.task]);
    for (Time k = end; k > end - d; --k)
      if (load_[k - 1] >= processors_) end = k - 1;
    for (Time k = end; k > end - d; --k) ++load_[k - 1];
    start_[t] = end - d;
  }
}

void Justification::sort_by_start(std::vector<int>& order) const {
  order.resize(g_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return start_[a] != start_[b] ? start_[a] < start_[b] : position_[a] < position_[b];
  });
}

void Justification::shift_left() {
  sort_by_start(sorted_);
  forward(sorted_);
}

void Justification::justify(std::vector<int>& order) {
  for (;;) {
    const Time before = length_;
    shift_right();
    shift_left();
    if (length_ >= before) break;
  }
  sort_by_start(order);
}

}  // namespace parid::schedule
