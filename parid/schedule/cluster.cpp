#include "parid/schedule/cluster.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace parid {
namespace {

constexpr int finest = 16;          // operations; larger tasks are made of such
constexpr int tasks_in_a_band = 8;  // at least, where there are as many parts

struct Group {
  int level = 0, operations = 0;
  std::vector<Id> ids;
};

class Gathering {
 public:
  Gathering(const Graph& g, int grain) : g_(g), grain_(grain), group_of_(g.size(), -1) {}

  void join(Id id) {
    const int weight = counts_as_operation(g_[id].op);
    int level = 0, best = -1;
    for (const Id in : g_[id].operands())
      if (group_of_[in] >= 0) level = std::max(level, group_[group_of_[in]].level);
    int on_top = 0;  // different groups at that level
    for (const Id in : g_[id].operands()) {
      const int k = group_of_[in];
      if (k < 0 || group_[k].level != level || k == best) continue;
      ++on_top, best = k;
    }
    if (on_top != 1 || group_[best].operations + weight > grain_) {
      best = static_cast<int>(group_.size());
      group_.push_back({level + 1, 0, {}});
    }
    group_of_[id] = best;
    group_[best].operations += weight;
    group_[best].ids.push_back(id);
  }

  // Groups of one level whose first user is the same.
  void merge() {
    std::vector<int> user(group_.size(), -1);
    for (std::size_t k = 0; k < group_.size(); ++k)
      for (const Id id : group_[k].ids)
        for (const Id in : g_[id].operands())
          if (const int from = group_of_[in];
              from >= 0 && from != static_cast<int>(k) && user[from] < 0)
            user[from] = static_cast<int>(k);
    std::map<std::pair<int, int>, std::vector<int>> mates;
    for (std::size_t k = 0; k < group_.size(); ++k)
      if (user[k] >= 0) mates[{group_[k].level, user[k]}].push_back(static_cast<int>(k));
    for (const auto& [where, list] : mates) {
      int open = -1;
      for (const int k : list) {
        if (open >= 0 && group_[open].operations + group_[k].operations <= grain_) {
          Group &into = group_[open], &from = group_[k];
          into.operations += from.operations;
          into.ids.insert(into.ids.end(), from.ids.begin(), from.ids.end());
          from.ids.clear();
        } else {
          open = k;
        }
      }
    }
  }

  std::vector<Group> groups() && {  // by level
    std::erase_if(group_, [](const Group& k) { return k.ids.empty(); });
    std::stable_sort(group_.begin(), group_.end(),
                     [](const Group& a, const Group& b) { return a.level < b.level; });
    return std::move(group_);
  }

 private:
  const Graph& g_;
  int grain_;
  std::vector<int> group_of_;
  std::vector<Group> group_;
};

// Larger tasks: levels are taken together into bands, and within a band what hangs together is one task.
// Tasks of a band wait only for earlier bands. A band ends before one of its tasks would have more than
// `grain` operations; small ones are then put together, but so that many stay.
class Bands {
 public:
  Bands(const Graph& g, std::vector<Group> groups, int grain)
      : g_(g),
        group_(std::move(groups)),
        grain_(grain),
        group_of_(g.size(), -1),
        root_(group_.size()),
        size_(group_.size()) {
    for (std::size_t k = 0; k < group_.size(); ++k)
      for (const Id id : group_[k].ids) group_of_[id] = static_cast<int>(k);
  }

  std::vector<std::vector<Id>> run() {
    std::size_t begin = 0, end = 0;
    while (end < group_.size()) {
      std::size_t next = end;
      while (next < group_.size() && group_[next].level == group_[end].level) ++next;
      if (!joined(begin, end, next)) {
        close(begin, end);
        begin = end;
        joined(begin, end, next);
      }
      end = next;
    }
    close(begin, end);
    return std::move(done_);
  }

 private:
  int root(int k) {
    while (root_[k] != k) k = root_[k] = root_[root_[k]];
    return k;
  }

  // Whether the band from `begin` can take groups [from, to) too.
  bool joined(std::size_t begin, std::size_t from, std::size_t to) {
    const std::vector<int> roots = root_, sizes = size_;
    bool fits = true;
    for (std::size_t k = from; k < to && fits; ++k) {
      root_[k] = static_cast<int>(k), size_[k] = group_[k].operations;
      for (const Id id : group_[k].ids)
        for (const Id in : g_[id].operands()) {
          const int b = group_of_[in];
          if (b < static_cast<int>(begin)) continue;
          const int x = root(b), y = root(static_cast<int>(k));
          if (x == y) continue;
          root_[y] = x, size_[x] += size_[y];
          fits = fits && size_[x] <= grain_;
        }
    }
    if (!fits && from > begin) {
      root_ = roots, size_ = sizes;
      return false;
    }
    return true;
  }

  void close(std::size_t begin, std::size_t end) {
    std::map<int, std::pair<int, std::vector<Id>>> part;  // operations, which
    int all = 0;
    for (std::size_t k = begin; k < end; ++k) {
      auto& [operations, ids] = part[root(static_cast<int>(k))];
      operations += group_[k].operations, all += group_[k].operations;
      ids.insert(ids.end(), group_[k].ids.begin(), group_[k].ids.end());
    }
    const int room = std::max(1, std::min(grain_, all / tasks_in_a_band));
    int filled = room + 1;
    for (auto& [key, task] : part) {
      auto& [operations, ids] = task;
      if (filled + operations > room) done_.emplace_back(), filled = 0;
      filled += operations;
      done_.back().insert(done_.back().end(), ids.begin(), ids.end());
    }
  }

  const Graph& g_;
  std::vector<Group> group_;  // by level
  int grain_;
  std::vector<int> group_of_, root_, size_;
  std::vector<std::vector<Id>> done_;
};

}  // namespace

std::vector<std::vector<Id>> clusters(const Graph& g, const std::vector<Id>& ids, int grain) {
  assert(grain >= 1);
  Gathering gathering(g, std::min(grain, finest));
  for (const Id id : ids) gathering.join(id);
  gathering.merge();
  std::vector<Group> groups = std::move(gathering).groups();
  if (grain > finest) return Bands(g, std::move(groups), grain).run();
  std::vector<std::vector<Id>> all;
  for (Group& k : groups) all.push_back(std::move(k.ids));
  return all;
}

TaskedGraph clustered(const Graph& g, int grain) {
  TaskedGraph t;
  t.graph = g;
  std::vector<char> prepared(g.size(), 0);
  for (Id id = static_cast<Id>(g.size()); id-- > 0;) {
    const Op op = g[id].op;
    if (op == Op::sin || op == Op::cos) prepared[id] = 1;
    if (prepared[id])
      for (const Id in : g[id].operands()) prepared[in] = 1;
  }
  std::vector<Id> rest;
  for (Id id = 0; id < g.size(); ++id) {
    if (g[id].op == Op::constant || g[id].op == Op::input) continue;
    (prepared[id] ? t.prepared : rest).push_back(id);
  }
  t.operations = clusters(g, rest, grain);
  for (std::size_t k = 0; k < t.operations.size(); ++k) {
    Time operations = 0;
    for (const Id id : t.operations[k]) operations += counts_as_operation(g[id].op);
    t.tasks.add({"c" + std::to_string(k + 1), operations});
  }
  add_data_edges(t);
  return t;
}

}  // namespace parid
