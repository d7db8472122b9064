#include "parid/schedule/cluster.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace parid {
namespace {

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

  std::vector<std::vector<Id>> groups() && {
    std::stable_sort(group_.begin(), group_.end(),
                     [](const Group& a, const Group& b) { return a.level < b.level; });
    std::vector<std::vector<Id>> all;
    for (Group& k : group_)
      if (!k.ids.empty()) all.push_back(std::move(k.ids));
    return all;
  }

 private:
  const Graph& g_;
  int grain_;
  std::vector<int> group_of_;
  std::vector<Group> group_;
};

}  // namespace

std::vector<std::vector<Id>> clusters(const Graph& g, const std::vector<Id>& ids, int grain) {
  assert(grain >= 1);
  Gathering gathering(g, grain);
  for (const Id id : ids) gathering.join(id);
  gathering.merge();
  return std::move(gathering).groups();
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
