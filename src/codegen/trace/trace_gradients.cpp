// All derivatives of torques and of accelerations.

#include <algorithm>

#include "codegen/trace/gradient.hpp"
#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/derivative/forward_gradient.hpp"
#include "graph/factor.hpp"

namespace parid::codegen {
namespace {

Graph analytic_gradient(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv), a = inputs(g, "a", t.c.nv);
  const Scene scene(t, g);
  const int size = t.c.nv * t.c.nv;
  Exprs dq(size), dv(size), da(size);
  InverseGradient<Expr> gradient(t.c, Origin::first);
  scene.set(gradient.at);
  gradient(q.data(), v.data(), a.data(), dq.data(), dv.data(), da.data());
  outputs(g, "dq", dq);
  outputs(g, "dv", dv);
  outputs(g, "da", da);
  return g;
}

}  // namespace

// By recursion, or by the chain rule in one of its modes. Factoring may reverse a small difference,
// so close candidates are factored too, unless they are large.
Graph inverse_gradient(const Tracing& t) {
  const Graph inverse = torque(t, true, true), composite = mass(t);
  std::vector<Graph> all{simplify(analytic_gradient(t))};
  for (const ChainRule way : {ChainRule::forward, ChainRule::reverse})
    for (const MassFrom from : {MassFrom::lower, MassFrom::upper, MassFrom::composite})
      all.push_back(simplify(gradient_of(t.robot.description(), inverse, composite, way, from)));
  std::sort(all.begin(), all.end(),
            [](const Graph& a, const Graph& b) { return weight(a) < weight(b); });
  std::size_t leanest = 0;
  Graph best = factor(all[0]);
  for (std::size_t k = 1; k < all.size() && all[k].size() < 10'000; ++k)
    if (8 * weight(all[k]) < 9 * weight(all[0]))
      if (Graph g = factor_if_near(all[k], best); weight(g) < weight(best)) {
        best = std::move(g);
        leanest = k;
      }
  return factored(all[leanest], std::move(best));
}

// ∂a = −M⁻¹ ∂τ at the acceleration for tau, and ∂a/∂τ = M⁻¹: with the derivatives of torques by the
// recursion, or by the cheapest program.
Graph forward_gradient(const Tracing& t) {
  const int n = t.c.nv, size = n * n;
  Graph recursive, composed;
  for (Graph* g : {&recursive, &composed}) {
    const Exprs q = inputs(*g, "q", t.c.nq), v = inputs(*g, "v", n), tau = inputs(*g, "tau", n);
    const Scene scene(t, *g);
    Exprs dq(size), dv(size), dtau(size);
    if (g == &recursive) {
      ForwardGradient<Expr> gradient(t.c, Origin::first);
      scene.set(gradient.forward.at);
      scene.set(gradient.inverse.at);
      gradient(q.data(), v.data(), tau.data(), dq.data(), dv.data(), dtau.data());
    } else {
      CompositeForward<Expr> forward(t.c);
      scene.set(forward.at);
      Exprs a(n), column(n);
      forward.acceleration(q.data(), v.data(), tau.data(), a.data());
      const Exprs D = called(inverse_gradient(t), *g, q, v, a);
      auto solve = [&](auto entry, Exprs& to, int k) {
        for (int r = 0; r < n; ++r) column[r] = entry(r);
        forward.solve(column.data());
        for (int r = 0; r < n; ++r) to[r * n + k] = column[r];
      };
      for (int k = 0; k < n; ++k) {
        solve([&](int r) { return -D[r * n + k]; }, dq, k);
        solve([&](int r) { return -D[size + r * n + k]; }, dv, k);
        solve([&](int r) { return Expr(r == k ? 1.0 : 0.0); }, dtau, k);
      }
      for (int r = 0; r < n; ++r)  // the inverse of a symmetric matrix
        for (int k = 0; k < r; ++k) dtau[r * n + k] = dtau[k * n + r];
    }
    outputs(*g, "dq", dq);
    outputs(*g, "dv", dv);
    outputs(*g, "dtau", dtau);
  }
  Graph best;
  t.keep_leaner(best, recursive);
  t.keep_leaner(best, composed);
  return factored(best);
}

}  // namespace parid::codegen
