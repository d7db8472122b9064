#include "codegen/trace/tracing.hpp"

#include "graph/evaluate.hpp"
#include "graph/expand.hpp"
#include "graph/factor.hpp"
#include "graph/passes.hpp"

namespace parid::codegen {

Exprs called(const Graph& program, Graph& in, Exprs all, const Exprs& v, const Exprs& third) {
  all.insert(all.end(), v.begin(), v.end());
  all.insert(all.end(), third.begin(), third.end());
  for (std::size_t k = all.size(); k < program.inputs().size(); ++k)
    all.push_back(input(in, program.inputs()[k].name));
  return evaluate<Expr>(program, all);
}

Graph factored(const Graph& g, Graph best) {
  if (g.size() > 20'000) return best;
  for (const Graph* from : {&g, static_cast<const Graph*>(&best)}) {
    const Graph turned = angle_sums(*from);
    if (weight(turned) == weight(*from)) continue;
    if (Graph f = factor_if_near(turned, best); worth(f) < worth(best)) best = std::move(f);
  }
  // For a small arm, or for gravity, the closed form may be cheaper than the recursion.
  if (g.size() < 400) try {
      if (Graph f = factor(collected(g, expanded(g, 100))); worth(f) < worth(best))
        best = std::move(f);
    } catch (const NotExpandable&) {
    }
  return best;
}
Graph factored(const Graph& g) { return factored(g, factor(g)); }

}  // namespace parid::codegen
