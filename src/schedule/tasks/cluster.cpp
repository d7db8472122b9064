#include "schedule/tasks/decompositions.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

namespace parid::schedule {
namespace {

constexpr int finest = 16;          // operations; larger tasks are composed of such groups
constexpr int tasks_in_a_band = 8;  // at least, if the band has as many components

struct Group {
  int level = 0, operations = 0;
  std::vector<Id> ids;
};

// The cosine of a sine's argument, or the sine of a cosine's; none for other operations.
std::optional<Id> partner(const Graph& g, Id id) {
  const Op op = g[id].op;
  if (op != Op::sin && op != Op::cos) return std::nullopt;
  return g.find(op == Op::sin ? Op::cos : Op::sin, g[id].in[0]);
}

// Puts every operation that takes time into a group of its own. The others join groups if that
// causes no delay.
class Singles {
 public:
  Singles(const Graph& g, const std::vector<Id>& ids, const OperationWeights& weights)
      : g_(g), ids_(ids), weights_(weights), group_of_(g.size(), none), user_(g.size(), none) {}

  std::vector<std::vector<Id>> run() {
    for (const Id id : ids_)
      if (weights_.of(g_[id].op) > 0) open(id);
    for (const Named& o : g_.outputs()) user_[o.id] = several;
    for (auto id = ids_.rbegin(); id != ids_.rend(); ++id) to_its_user(*id);
    for (const Id id : ids_)
      if (group_of_[id] == none) to_its_operand(id);
    // Groups are numbered by their first operation, so each comes after the groups that it reads.
    std::vector<std::vector<Id>> groups(opened_.size());
    std::vector<int> rank(opened_.size());
    std::vector<int> order(opened_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return opened_[a] < opened_[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<int>(k);
    for (const Id id : ids_) groups[rank[group_of_[id]]].push_back(id);
    return groups;
  }

 private:
  static constexpr int none = -1, several = -2;

  void open(Id id) {
    if (const auto p = partner(g_, id); p && group_of_[*p] != none) {
      group_of_[id] = group_of_[*p];
      return;
    }
    group_of_[id] = static_cast<int>(opened_.size());
    opened_.push_back(id);
  }

  // An operation of no duration with a single reading group joins that group, which waits for its
  // operands anyway. Users are visited first, so that their groups are known.
  void to_its_user(Id id) {
    if (group_of_[id] == none && user_[id] >= 0) group_of_[id] = user_[id];
    const int group = group_of_[id] == none ? several : group_of_[id];
    for (const Id in : g_[id].operands())
      user_[in] = user_[in] == none || user_[in] == group ? group : several;
  }

  // An operation with several reading groups joins the group of its operands, if they share one or
  // if one of those groups already reads the others; else it forms a group of no duration.
  void to_its_operand(Id id) {
    int last = none;
    for (const Id in : g_[id].operands())
      if (const int k = group_of_[in]; k != none && (last == none || opened_[k] > opened_[last]))
        last = k;
    bool there = last != none;
    for (const Id in : g_[id].operands())
      if (const int k = group_of_[in]; there && k != none && k != last) there = reads(last, k);
    if (there)
      group_of_[id] = last;
    else
      open(id);
  }

  // Whether the first operation of `group` has an operand in `other`.
  bool reads(int group, int other) const {
    for (const Id in : g_[opened_[group]].operands())
      if (group_of_[in] == other) return true;
    return false;
  }

  const Graph& g_;
  const std::vector<Id>& ids_;
  const OperationWeights& weights_;
  std::vector<int> group_of_, user_;
  std::vector<Id> opened_;  // by group
};

class Gathering {
 public:
  Gathering(const Graph& g, int grain, const OperationWeights& weights)
      : g_(g), grain_(grain), weights_(weights), group_of_(g.size(), -1) {}

  void join(Id id) {
    if (const auto p = partner(g_, id); p && group_of_[*p] >= 0) {
      group_of_[id] = group_of_[*p];
      group_[group_of_[id]].ids.push_back(id);
      return;
    }
    const int weight = weights_.of(g_[id].op) > 0;
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

  // Merges groups of one level with the same first user.
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
  const OperationWeights& weights_;
  std::vector<int> group_of_;
  std::vector<Group> group_;
};

// Larger tasks: levels are combined into bands, and each connected component of a band is one task.
// Tasks of a band depend only on earlier bands. A band ends before one of its tasks would have more
// than `grain` operations; small components are then combined, but enough tasks remain.
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

  // Whether the band from `begin` can include groups [from, to) too.
  bool joined(std::size_t begin, std::size_t from, std::size_t to) {
    const std::vector<int> roots = root_, sizes = size_;
    bool fits = true;
    for (std::size_t k = from; k < to && fits; ++k) {
      root_[k] = static_cast<int>(k);
      size_[k] = group_[k].operations;
      for (const Id id : group_[k].ids)
        for (const Id in : g_[id].operands()) {
          const int b = group_of_[in];
          if (b < static_cast<int>(begin)) continue;
          const int x = root(b), y = root(static_cast<int>(k));
          if (x == y) continue;
          root_[y] = x;
          size_[x] += size_[y];
          fits = fits && size_[x] <= grain_;
        }
    }
    if (!fits && from > begin) {
      root_ = roots;
      size_ = sizes;
      return false;
    }
    return true;
  }

  void close(std::size_t begin, std::size_t end) {
    std::map<int, std::pair<int, std::vector<Id>>> part;  // operations, which
    int all = 0;
    for (std::size_t k = begin; k < end; ++k) {
      auto& [operations, ids] = part[root(static_cast<int>(k))];
      operations += group_[k].operations;
      all += group_[k].operations;
      ids.insert(ids.end(), group_[k].ids.begin(), group_[k].ids.end());
    }
    const int room = std::max(1, std::min(grain_, all / tasks_in_a_band));
    int filled = room + 1;
    for (auto& [key, task] : part) {
      auto& [operations, ids] = task;
      if (filled + operations > room) {
        done_.emplace_back();
        filled = 0;
      }
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

std::vector<std::vector<Id>> clusters(const Graph& g, const std::vector<Id>& ids, int grain,
                                      const OperationWeights& weights) {
  assert(grain >= 1);
  if (grain == 1) return Singles(g, ids, weights).run();
  Gathering gathering(g, std::min(grain, finest), weights);
  for (const Id id : ids) gathering.join(id);
  gathering.merge();
  std::vector<Group> groups = std::move(gathering).groups();
  if (grain > finest) return Bands(g, std::move(groups), grain).run();
  std::vector<std::vector<Id>> all;
  for (Group& k : groups) all.push_back(std::move(k.ids));
  return all;
}

TaskedGraph clustered(const Graph& g, int grain, const OperationWeights& weights) {
  TaskedGraph t;
  t.graph = g;
  t.weights = weights;
  std::vector<char> ready(g.size(), 0);
  std::vector<Id> rest;
  for (Id id = 0; id < g.size(); ++id) {
    const auto operands = g[id].operands();
    ready[id] = weights.of(g[id].op) == 0 &&
                std::all_of(operands.begin(), operands.end(), [&](Id in) { return ready[in]; });
    if (!operands.empty()) (ready[id] ? t.prepared : rest).push_back(id);
  }
  t.operations = clusters(g, rest, grain, weights);
  for (std::size_t k = 0; k < t.operations.size(); ++k)
    t.tasks.add({"c" + std::to_string(k + 1), total(counts(g, t.operations[k]), weights)});
  add_data_edges(t);
  return t;
}

}  // namespace parid::schedule
