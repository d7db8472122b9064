#include "schedule/search/partial_bound.hpp"

#include <algorithm>

namespace parid::schedule {

PartialBound::PartialBound(const TaskGraph& g, int processors)
    : g_(g),
      processors_(processors),
      order_(g.order()),
      level_(levels(g)),
      earliest_(g.size(), 0) {}

Time PartialBound::operator()(Time now, const std::vector<char>& done,
                              const std::vector<Time>& start) {
  Time path = now, work = 0;
  for (const int t : order_) {
    const Time d = g_[t].duration;
    if (done[t]) {
      path = std::max(path, start[t] + d);
      work += std::max<Time>(0, start[t] + d - now);
      continue;
    }
    Time ready = now;
    for (const Link& l : g_.before(t))
      ready =
          std::max(ready, (done[l.task] ? start[l.task] : earliest_[l.task]) + g_[l.task].duration);
    earliest_[t] = ready;
    path = std::max(path, ready + level_[t]);
    work += d;
  }
  const Time even = now + (work + processors_ - 1) / processors_;
  // For the end `path`: the work that must be done between now and each instant b.
  latest_.clear();
  for (int t = 0; t < g_.size(); ++t)
    if (!done[t] && g_[t].duration > 0) latest_.push_back({path - level_[t], g_[t].duration});
  std::sort(latest_.begin(), latest_.end());
  Time over = 0;
  for (std::size_t k = 0; k < latest_.size(); ++k) {
    const Time b = latest_[k].first + latest_[k].second;
    Time must = 0;
    for (const auto& [from, d] : latest_) {
      if (from >= b) break;
      must += std::min(d, b - from);
    }
    for (int t = 0; t < g_.size(); ++t)
      if (done[t]) must += std::max<Time>(0, std::min(start[t] + g_[t].duration, b) - now);
    over = std::max(over, must - processors_ * (b - now));
  }
  return std::max(even, path + (over + processors_ - 1) / processors_);
}

}  // namespace parid::schedule
