#include "schedule/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace parid::schedule {
namespace {

// For more tasks than this there are too many intervals to test.
constexpr int most_tasks = 3000;
constexpr double most_steps = 2e8;
// Starts or ends of intervals; larger sets are thinned out, which weakens the bound.
std::size_t most_instants(std::size_t tasks) {
  return static_cast<std::size_t>(
      std::min(700.0, std::sqrt(most_steps / static_cast<double>(tasks + 1))));
}

struct Windows {
  std::vector<Time> head, duration, tail;
};

// On the fastest processor, with unlimited processors.
Windows windows(const TaskGraph& g, const Machine& m) {
  const int n = g.size();
  Windows w{std::vector<Time>(n, 0), std::vector<Time>(n), std::vector<Time>(n, 0)};
  const double fastest = m.fastest();
  for (int t = 0; t < n; ++t)
    w.duration[t] =
        fastest == 1
            ? g[t].duration
            : static_cast<Time>(std::ceil(static_cast<double>(g[t].duration) / fastest - 1e-9));
  const std::vector<int> order = g.order();
  for (const int t : order)
    for (const Link& l : g.after(t))
      w.head[l.task] = std::max(w.head[l.task], w.head[t] + w.duration[t]);
  for (auto t = order.rbegin(); t != order.rend(); ++t)
    for (const Link& l : g.after(*t))
      w.tail[*t] = std::max(w.tail[*t], w.tail[l.task] + w.duration[l.task]);
  return w;
}

std::vector<Time> instants(std::vector<Time> t, std::size_t most) {
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end()), t.end());
  if (t.size() <= most) return t;
  std::vector<Time> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(t[k * t.size() / most]);
  return some;
}

// The largest amount by which the work that must be done in some interval exceeds the capacity of
// the processors there, in processor time.
Time overflow(const Windows& w, int processors, Time deadline) {
  const int n = static_cast<int>(w.head.size());
  std::vector<Time> from, to;
  for (int t = 0; t < n; ++t) {
    if (w.duration[t] == 0) continue;
    const Time latest = deadline - w.tail[t];  // to end
    from.push_back(w.head[t]);
    from.push_back(latest - w.duration[t]);
    to.push_back(latest);
    to.push_back(w.head[t] + w.duration[t]);
  }
  const std::size_t most = most_instants(w.head.size());
  from = instants(std::move(from), most);
  to = instants(std::move(to), most);
  Time worst = 0;
  std::vector<int> here;
  for (const Time a : from) {
    here.clear();
    for (int t = 0; t < n; ++t)
      if (deadline - w.tail[t] > a && w.head[t] + w.duration[t] > a) here.push_back(t);
    for (const Time b : to) {
      if (b <= a) continue;
      Time work = 0;
      for (const int t : here) {
        const Time left = w.head[t] + w.duration[t] - a,         // as early as it can
            right = b - (deadline - w.tail[t] - w.duration[t]);  // as late as it may
        const Time inside = std::min({w.duration[t], left, right, b - a});
        if (inside > 0) work += inside;
      }
      worst = std::max(worst, work - processors * (b - a));
    }
  }
  return worst;
}

Time longest_path(const Windows& w) {
  Time longest = 0;
  for (std::size_t t = 0; t < w.head.size(); ++t)
    longest = std::max(longest, w.head[t] + w.duration[t] + w.tail[t]);
  return longest;
}

}  // namespace

LowerBounds lower_bounds(const TaskGraph& g, const Machine& m) {
  const Windows w = windows(g, m);
  LowerBounds b;
  b.critical_path = b.fernandez_bussell = longest_path(w);
  b.load = static_cast<Time>(std::ceil(static_cast<double>(total(g)) / m.together() - 1e-9));
  b.energetic = std::max(b.critical_path, b.load);
  if (g.size() > most_tasks || !m.equal()) return b;
  auto longer = [&](Time deadline) {
    return (overflow(w, m.processors, deadline) + m.processors - 1) / m.processors;
  };
  b.fernandez_bussell += longer(b.critical_path);
  // If the work in an interval [a, b) exceeds the capacity, so it does in [a, b + d) when the
  // schedule is d longer; so d is at least the excess divided by the number of processors.
  b.energetic = std::max(b.fernandez_bussell, b.load);
  while (const Time more = longer(b.energetic)) b.energetic += more;
  return b;
}

Time LowerBounds::best() const {
  return std::max({critical_path, load, fernandez_bussell, energetic});
}

}  // namespace parid::schedule
