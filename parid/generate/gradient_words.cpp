// Derivatives of torques and of accelerations, all of them.

#include <algorithm>

#include "parid/dynamics/forward_gradient.hpp"
#include "parid/generate/gradient.hpp"
#include "parid/generate/scene.hpp"
#include "parid/generate/words.hpp"

namespace parid::generating {
namespace {

Graph analytic_gradient(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv), a = inputs(g, "a", t.c.nv);
  const Scene scene(t, g);
  const int size = t.c.nv * t.c.nv;
  Exprs dq(size), dv(size), da(size);
  InverseGradient<Expr> gradient(t.c);
  scene.set(gradient.at);
  gradient(q.data(), v.data(), a.data(), dq.data(), dv.data(), da.data());
  outputs(g, "dq", dq), outputs(g, "dv", dv), outputs(g, "da", da);
  return g;
}

}  // namespace

// By recursion, or by the chain rule in one of its ways. Factoring may turn a small lead round, so those that
// are close are factored too, unless they are large.
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
      if (Graph g = factor(all[k]); weight(g) < weight(best)) best = std::move(g), leanest = k;
  return factored(all[leanest], std::move(best));
}

Graph forward_gradient(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv),
              tau = inputs(g, "tau", t.c.nv);
  const Scene scene(t, g);
  const int size = t.c.nv * t.c.nv;
  Exprs dq(size), dv(size), dtau(size);
  ForwardGradient<Expr> gradient(t.c);
  scene.set(gradient.forward.at), scene.set(gradient.inverse.at);
  gradient(q.data(), v.data(), tau.data(), dq.data(), dv.data(), dtau.data());
  outputs(g, "dq", dq), outputs(g, "dv", dv), outputs(g, "dtau", dtau);
  return t.lean(g);
}

}  // namespace parid::generating
