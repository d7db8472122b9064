// Mass matrix and forward dynamics.

#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/articulated_body.hpp"
#include "dynamics/composite_forward.hpp"

namespace parid::codegen {
namespace {

template <template <class> class Method>
Graph forward_by(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv),
              tau = inputs(g, "tau", t.c.nv);
  const Scene scene(t, g);
  Exprs a(t.c.nv);
  Method<Expr> forward(t.c);
  scene.set(forward.at);
  forward.acceleration(q.data(), v.data(), tau.data(), a.data());
  outputs(g, "a", a);
  return g;
}

}  // namespace

Graph mass(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  const Scene scene(t, g);
  Exprs M(t.c.nv * t.c.nv);
  MassMatrix<Expr> m(t.c);
  scene.set(m.at);
  m(q.data(), M.data());
  outputs(g, "M", M);
  return t.lean(g);
}

Graph forward(const Tracing& t) {
  Graph best;
  t.keep_leaner(best, forward_by<CompositeForward>(t));
  if (ArticulatedBody<Expr>::covers(t.c)) t.keep_leaner(best, forward_by<ArticulatedBody>(t));
  return factored(best);
}

}  // namespace parid::codegen
