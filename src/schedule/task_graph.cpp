#include "schedule/task_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <queue>

#include "parid/error.hpp"

namespace parid::schedule {

int TaskGraph::add(Task t) {
  assert(t.duration >= 0);
  task_.push_back(std::move(t));
  before_.emplace_back();
  after_.emplace_back();
  return size() - 1;
}

void TaskGraph::precede(int before, int after, int words) {
  assert(before >= 0 && before < size() && after >= 0 && after < size());
  auto to = [](std::vector<Link>& links, int task) {
    return std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.task == task; });
  };
  // Searches the end with fewer edges: a file's last task may have thousands.
  const bool short_side = after_[before].size() <= before_[after].size();
  const bool known = short_side ? to(after_[before], after) != after_[before].end()
                                : to(before_[after], before) != before_[after].end();
  if (!known) return precede_newly(before, after, words);
  Link &a = *to(after_[before], after), &b = *to(before_[after], before);
  a.words = b.words = std::max(a.words, words);
}

void TaskGraph::precede_newly(int before, int after, int words) {
  assert(before >= 0 && before < size() && after >= 0 && after < size());
  after_[before].push_back({after, words});
  before_[after].push_back({before, words});
}

long TaskGraph::edges() const {
  long n = 0;
  for (const auto& links : after_) n += static_cast<long>(links.size());
  return n;
}

int TaskGraph::find(const std::string& name) const {
  for (int t = 0; t < size(); ++t)
    if (task_[t].name == name) return t;
  return -1;
}

std::vector<int> TaskGraph::order() const {
  std::vector<int> waits(size()), sorted;
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int t = 0; t < size(); ++t) {
    waits[t] = static_cast<int>(before_[t].size());
    if (waits[t] == 0) ready.push(t);
  }
  sorted.reserve(size());
  while (!ready.empty()) {
    const int t = ready.top();
    ready.pop();
    sorted.push_back(t);
    for (const Link& l : after_[t])
      if (--waits[l.task] == 0) ready.push(l.task);
  }
  if (static_cast<int>(sorted.size()) < size()) {
    const int stuck = static_cast<int>(
        std::find_if(waits.begin(), waits.end(), [](int w) { return w > 0; }) - waits.begin());
    throw Error(fmt::format("task '{}' is part of a dependency cycle; remove an edge of the cycle",
                            task_[stuck].name));
  }
  return sorted;
}

Time total(const TaskGraph& g) {
  Time sum = 0;
  for (int t = 0; t < g.size(); ++t) sum += g[t].duration;
  return sum;
}

TaskGraph reversed(const TaskGraph& g) {
  TaskGraph r;
  for (int t = 0; t < g.size(); ++t) r.add(g[t]);
  for (int t = 0; t < g.size(); ++t)
    for (const Link& l : g.after(t)) r.precede_newly(l.task, t, l.words);
  return r;
}

std::vector<Time> heads(const TaskGraph& g) {
  std::vector<Time> head(g.size(), 0);
  for (const int t : g.order())
    for (const Link& l : g.after(t)) head[l.task] = std::max(head[l.task], head[t] + g[t].duration);
  return head;
}

std::vector<Time> levels(const TaskGraph& g) {
  std::vector<Time> level(g.size(), 0);
  const std::vector<int> order = g.order();
  for (auto t = order.rbegin(); t != order.rend(); ++t) {
    for (const Link& l : g.after(*t)) level[*t] = std::max(level[*t], level[l.task]);
    level[*t] += g[*t].duration;
  }
  return level;
}

Time critical_path(const TaskGraph& g) {
  Time longest = 0;
  for (const Time l : levels(g)) longest = std::max(longest, l);
  return longest;
}

std::vector<int> layers(const TaskGraph& g) {
  std::vector<int> layer(g.size());
  for (const int t : g.order()) {
    layer[t] = g[t].layer;
    if (layer[t] > 0) continue;
    layer[t] = 1;
    for (const Link& l : g.before(t)) layer[t] = std::max(layer[t], layer[l.task] + 1);
  }
  return layer;
}

int layer_count(const TaskGraph& g) {
  int last = 0;
  for (const int l : layers(g)) last = std::max(last, l);
  return last;
}

int concurrency(const TaskGraph& g) {
  std::vector<int> width(layer_count(g) + 1, 0);
  for (const int l : layers(g)) ++width[l];
  return *std::max_element(width.begin(), width.end());
}

}  // namespace parid::schedule
