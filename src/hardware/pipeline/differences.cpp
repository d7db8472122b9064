#include "hardware/pipeline/differences.hpp"

#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <stdexcept>

namespace parid::hardware {
namespace {

class Pushing {
 public:
  Pushing(const Differences& d, std::vector<int> t)
      : nodes_(static_cast<int>(d.coefficient.size())),
        t_(std::move(t)),
        flow_(d.constraints.size(), 0),
        first_(d.coefficient.size() + 1, 0),
        level_(d.coefficient.size()),
        at_(d.coefficient.size()) {
    for (const long c : d.coefficient) over_.push_back(-c);
    for (const auto& c : d.constraints) {
      ++first_[c.from + 1];
      ++first_[c.to + 1];
    }
    for (int v = 0; v < nodes_; ++v) first_[v + 1] += first_[v];
    ends_.resize(2 * d.constraints.size());
    std::vector<int> next = first_;
    for (int k = 0; k < static_cast<int>(d.constraints.size()); ++k) {
      const auto& c = d.constraints[k];
      ends_[next[c.from]++] = {c.to, k, c.least, true};
      ends_[next[c.to]++] = {c.from, k, c.least, false};
    }
  }

  std::vector<int> solved() {
    for (;;) {
      if (!label()) {
        if (std::none_of(over_.begin(), over_.end(), [](long x) { return x > 0; })) return t_;
        shift();
        label();
      }
      push();
    }
  }

 private:
  struct End {  // a constraint as seen from the node at its other end
    int node, constraint, least;
    bool onward;
  };

  int slack(int v, const End& x) const {
    return (x.onward ? t_[x.node] - t_[v] : t_[v] - t_[x.node]) - x.least;
  }
  // Whether flow can pass from v to x.node, or from x.node to v, without a shift.
  bool open(int v, const End& x) const {
    return x.onward ? slack(v, x) == 0 : flow_[x.constraint] > 0;
  }
  bool open_from(int v, const End& x) const {
    return x.onward ? flow_[x.constraint] > 0 : slack(v, x) == 0;
  }

  // Labels each node with its distance to a node with demand; `nodes_` if there is no path. Returns
  // whether any flow can move.
  bool label() {
    std::fill(level_.begin(), level_.end(), nodes_);
    std::vector<int>& seen = queue_;
    seen.clear();
    for (int v = 0; v < nodes_; ++v)
      if (over_[v] < 0) {
        level_[v] = 0;
        seen.push_back(v);
      }
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (int i = first_[seen[k]]; i < first_[seen[k] + 1]; ++i) {
        const End& x = ends_[i];
        if (level_[x.node] < nodes_ || !open_from(seen[k], x)) continue;
        level_[x.node] = level_[seen[k]] + 1;
        seen.push_back(x.node);
      }
    at_level_.assign(nodes_ + 1, 0);
    waiting_.clear();
    for (const int v : seen) {
      ++at_level_[level_[v]];
      at_[v] = first_[v];
      if (over_[v] > 0) waiting_.push_back(v);
    }
    return !waiting_.empty();
  }

  // Pushes until no excess has a path, or until enough work is done that relabelling pays off. It
  // relabels early: a search visits each node once, and pushing along old labels is slow.
  void push() {
    long work = 2L * nodes_;
    for (std::size_t k = 0; k < waiting_.size() && work > 0; ++k) {
      const int v = waiting_[k];
      while (over_[v] > 0 && level_[v] < nodes_) {
        if (at_[v] == first_[v + 1]) {
          work -= first_[v + 1] - first_[v] + 12;
          relabel(v, k);
          continue;
        }
        const End& x = ends_[at_[v]];
        if (level_[x.node] + 1 == level_[v] && open(v, x)) {
          const long most = x.onward ? over_[v] : std::min(over_[v], flow_[x.constraint]);
          flow_[x.constraint] += x.onward ? most : -most;
          over_[v] -= most;
          const bool wakes = over_[x.node] <= 0 && over_[x.node] + most > 0;
          over_[x.node] += most;
          if (wakes) waiting_.push_back(x.node);
          if (over_[v] == 0) break;
        }
        ++at_[v];
      }
    }
  }

  void relabel(int v, std::size_t from) {
    int best = nodes_;
    for (int i = first_[v]; i < first_[v + 1]; ++i)
      if (level_[ends_[i].node] + 1 < best && open(v, ends_[i])) best = level_[ends_[i].node] + 1;
    const int old = level_[v];
    if (--at_level_[old] == 0) {  // no arc crosses the gap
      for (std::size_t k = from; k < waiting_.size(); ++k)
        if (level_[waiting_[k]] > old) level_[waiting_[k]] = nodes_;
      best = nodes_;
    }
    level_[v] = best;
    at_[v] = first_[v];
    ++at_level_[best];
  }

  // Shifts each node later by its distance to a node with demand, measured in slack.
  void shift() {
    const int far = 1 << 30;
    std::vector<int> distance(nodes_, far);
    std::vector<std::vector<int>> bucket(1);
    int last = -1;  // among nodes with excess
    for (int v = 0; v < nodes_; ++v)
      if (over_[v] < 0) {
        distance[v] = 0;
        bucket[0].push_back(v);
      }
    for (int d = 0; d < static_cast<int>(bucket.size()); ++d)
      for (std::size_t k = 0; k < bucket[d].size(); ++k) {
        const int v = bucket[d][k];
        if (distance[v] != d) continue;
        if (over_[v] > 0) last = d;
        for (int i = first_[v]; i < first_[v + 1]; ++i) {
          const End& x = ends_[i];
          if (x.onward && flow_[x.constraint] == 0) continue;
          const int there = d + (x.onward ? 0 : slack(v, x));
          if (there >= distance[x.node]) continue;
          distance[x.node] = there;
          if (there >= static_cast<int>(bucket.size())) bucket.resize(there + 1);
          bucket[there].push_back(x.node);
        }
      }
    for (int v = 0; v < nodes_; ++v)
      if (over_[v] > 0 && distance[v] == far)
        throw std::logic_error("the system of difference constraints is unbounded");
    for (int v = 0; v < nodes_; ++v) t_[v] += std::min(distance[v], last);
  }

  int nodes_;
  std::vector<int> t_;
  std::vector<long> over_, flow_;
  std::vector<int> first_;  // of a node's ends
  std::vector<End> ends_;
  std::vector<int> level_, at_, at_level_, queue_, waiting_;
};

}  // namespace

std::vector<int> solved(const Differences& d, std::vector<int> feasible) {
  for (const auto& c : d.constraints)
    if (feasible[c.to] - feasible[c.from] < c.least)
      throw std::logic_error(
          "the start value of the system of difference constraints violates a constraint");
  return Pushing(d, std::move(feasible)).solved();
}

std::vector<int> solved_by_simplex(const Differences& d) {
  using Digraph = lemon::SmartDigraph;
  Digraph g;
  g.reserveNode(static_cast<int>(d.coefficient.size()));
  g.reserveArc(static_cast<int>(d.constraints.size()));
  std::vector<Digraph::Node> node;
  for (std::size_t v = 0; v < d.coefficient.size(); ++v) node.push_back(g.addNode());
  Digraph::ArcMap<long> cost(g);
  Digraph::NodeMap<long> supply(g);
  for (const auto& c : d.constraints) cost[g.addArc(node[c.from], node[c.to])] = -c.least;
  for (std::size_t v = 0; v < d.coefficient.size(); ++v) supply[node[v]] = -d.coefficient[v];
  lemon::NetworkSimplex<Digraph, long, long> simplex(g);
  simplex.costMap(cost).supplyMap(supply);
  if (simplex.run() != decltype(simplex)::OPTIMAL)
    throw std::logic_error("the system of difference constraints is unbounded");
  std::vector<int> t;
  for (const auto& v : node) t.push_back(static_cast<int>(-simplex.potential(v)));
  return t;
}

}  // namespace parid::hardware
