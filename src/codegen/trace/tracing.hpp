// Shared by the traces of all quantities.

#pragma once

#include "codegen/layer.hpp"
#include "codegen/trace/generate.hpp"
#include "dynamics/row_arguments.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "model/canonical_model.hpp"

namespace parid::codegen {

using Exprs = std::vector<Expr>;

inline Exprs inputs(Graph& g, const std::string& name, int count) {
  Exprs x;
  for (int k = 1; k <= count; ++k) x.push_back(input(g, name + std::to_string(k)));
  return x;
}
inline void outputs(Graph& g, const std::string& name, const Exprs& x) {
  for (std::size_t k = 0; k < x.size(); ++k) output(g, name + std::to_string(k + 1), x[k]);
}

inline long weight(const Graph& g) {
  const Counts n = counts(g);
  return n.multiplications + n.additions + 4 * n.divisions;
}

// Including sine-cosine pairs, each of which costs about sixteen operations.
inline long worth(const Graph& g) { return weight(g) + 16 * counts(g).sin_cos; }

// The result of a program with three arguments for other arguments. Further inputs are matched by
// name.
Exprs called(const Graph& program, Graph& in, Exprs q, const Exprs& v, const Exprs& third);

// Factored after, before or without combining sums of angles: the cheapest. For a large graph this
// would take seconds and save almost nothing.
Graph factored(const Graph&);
Graph factored(const Graph&, Graph best);  // best: factor(graph)

// The robot, its mechanism with the required inertias, and the options of the quantity.
struct Tracing {
  const Robot& robot;
  const CanonicalModel& c;
  const GenerateOptions& options;
  Mechanism<double> mechanism;
  RowLayout rows = {};  // what differs by row
  bool rotors = true;

  int link() const { return robot.find_link(options.link.empty() ? robot.tip() : options.link); }

  Graph lean(const Graph& g) const { return factored(simplify(g)); }

  // Factoring takes most of the time, so only the best candidate is factored.
  void keep_leaner(Graph& best, Graph g) const {
    g = simplify(g);
    if (best.outputs().empty() || weight(g) < weight(best)) best = std::move(g);
  }
};

}  // namespace parid::codegen
