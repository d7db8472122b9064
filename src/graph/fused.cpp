#include "graph/passes.hpp"

#include <algorithm>

namespace parid::graph {

// Greedy, products with few users first: each has the same value, and those leave the most sums
// free.
std::vector<int> fused_operands(const Graph& g) {
  struct Use {
    Id user;
    int operand;
  };
  std::vector<std::vector<Use>> uses(g.size());
  std::vector<bool> free(g.size());  // not a product that is used otherwise, or not used
  std::vector<Id> products;
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::mul) products.push_back(id);
    for (int k = 0; k < row(n.op).arity; ++k) {
      uses[n.in[k]].push_back({id, k});
      if (n.op != Op::add && n.op != Op::sub) free[n.in[k]] = true;
    }
  }
  for (const Named& o : g.outputs()) free[o.id] = true;
  std::stable_sort(products.begin(), products.end(),
                   [&](Id a, Id b) { return uses[a].size() < uses[b].size(); });
  std::vector<int> taken(g.size(), not_fused);
  for (const Id p : products) {
    if (free[p] || uses[p].empty()) continue;
    const bool all = std::all_of(uses[p].begin(), uses[p].end(), [&](const Use& u) {
      const Node& n = g[u.user];
      return taken[u.user] == not_fused && n.in[0] != n.in[1];
    });
    if (all)
      for (const Use& u : uses[p]) taken[u.user] = u.operand;
  }
  return taken;
}

std::vector<bool> fused_products(const Graph& g, const std::vector<int>& fused_operands) {
  std::vector<bool> gone(g.size());
  for (Id id = 0; id < g.size(); ++id)
    if (fused_operands[id] != not_fused) gone[g[id].in[fused_operands[id]]] = true;
  return gone;
}

long fma_slots(const Graph& g) {
  const std::vector<bool> gone = fused_products(g, fused_operands(g));
  const Counts n = counts(g);
  return n.multiplications + n.additions - std::count(gone.begin(), gone.end(), true);
}

}  // namespace parid::graph
