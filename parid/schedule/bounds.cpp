#include "parid/schedule/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace parid {
namespace {

// Beyond this many tasks intervals are too many to ask one by one.
constexpr int most_tasks = 3000;
constexpr int most_instants = 700;  // of either end; more are thinned out, which weakens the bound

struct Windows {
  std::vector<Time> head, duration, tail;
};

Windows windows(const TaskGraph& g, const Machine& m) {
  Windows w;
  const double fastest = m.fastest();
  TaskGraph quick;  // on the fastest processor
  for (int t = 0; t < g.size(); ++t) {
    Task task = g[t];
    task.name.clear();
    if (fastest != 1)
      task.duration =
          static_cast<Time>(std::ceil(static_cast<double>(task.duration) / fastest - 1e-9));
    quick.add(std::move(task));
  }
  for (int t = 0; t < g.size(); ++t)
    for (const Link& l : g.after(t)) quick.precede(t, l.task);
  w.head = heads(quick), w.tail = levels(quick);
  for (int t = 0; t < g.size(); ++t) {
    w.duration.push_back(quick[t].duration);
    w.tail[t] -= quick[t].duration;
  }
  return w;
}

std::vector<Time> instants(std::vector<Time> t) {
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end()), t.end());
  if (t.size() <= most_instants) return t;
  std::vector<Time> some;
  for (int k = 0; k < most_instants; ++k) some.push_back(t[k * t.size() / most_instants]);
  return some;
}

// The most by which work that must be done in some interval exceeds what the processors can do
// there, in processor times.
Time overflow(const Windows& w, int processors, Time deadline) {
  const int n = static_cast<int>(w.head.size());
  std::vector<Time> from, to;
  for (int t = 0; t < n; ++t) {
    if (w.duration[t] == 0) continue;
    const Time latest = deadline - w.tail[t];  // to end
    from.push_back(w.head[t]), from.push_back(latest - w.duration[t]);
    to.push_back(latest), to.push_back(w.head[t] + w.duration[t]);
  }
  from = instants(std::move(from)), to = instants(std::move(to));
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

}  // namespace

Time critical_path_bound(const TaskGraph& g, const Machine& m) {
  const Windows w = windows(g, m);
  Time longest = 0;
  for (std::size_t t = 0; t < w.head.size(); ++t)
    longest = std::max(longest, w.head[t] + w.duration[t] + w.tail[t]);
  return longest;
}

Time load_bound(const TaskGraph& g, const Machine& m) {
  return static_cast<Time>(std::ceil(static_cast<double>(total(g)) / m.together() - 1e-9));
}

Time fernandez_bussell_bound(const TaskGraph& g, const Machine& m) {
  const Time path = critical_path_bound(g, m);
  if (g.size() > most_tasks || !m.equal()) return path;
  const Time over = overflow(windows(g, m), m.processors, path);
  return path + (over + m.processors - 1) / m.processors;
}

Time energetic_bound(const TaskGraph& g, const Machine& m) {
  Time bound = std::max(fernandez_bussell_bound(g, m), load_bound(g, m));
  if (g.size() > most_tasks || !m.equal()) return bound;
  const Windows w = windows(g, m);
  while (overflow(w, m.processors, bound) > 0) ++bound;
  return bound;
}

Time LowerBounds::best() const {
  return std::max({critical_path, load, fernandez_bussell, energetic});
}

LowerBounds lower_bounds(const TaskGraph& g, const Machine& m) {
  return {critical_path_bound(g, m), load_bound(g, m), fernandez_bussell_bound(g, m),
          energetic_bound(g, m)};
}

}  // namespace parid
