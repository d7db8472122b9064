#include "parid/generate/tracing.hpp"

#include "parid/ir/angle_sums.hpp"

namespace parid::generating {

Graph factored(const Graph& g, Graph best) {
  if (g.size() > 20'000) return best;
  for (const Graph* from : {&g, static_cast<const Graph*>(&best)}) {
    const Graph turned = angle_sums(*from);
    if (weight(turned) == weight(*from)) continue;
    if (Graph f = factor(turned); weight(f) < weight(best)) best = std::move(f);
  }
  return best;
}
Graph factored(const Graph& g) { return factored(g, factor(g)); }

}  // namespace parid::generating
