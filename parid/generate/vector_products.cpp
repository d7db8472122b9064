// Vector-Jacobian products: how Σ w·tau, or Σ w·a, changes with each coordinate. By the sweeps that
// dynamics/ has for it, or by the chain rule through the leanest program; whichever is leaner.

#include "parid/dynamics/forward_gradient.hpp"
#include "parid/generate/words.hpp"
#include "parid/ir/differentiate.hpp"
#include "parid/ir/evaluate.hpp"

namespace parid::generating {
namespace {

struct Arguments {
  Exprs q, v, third, w;  // third: a or tau
};
Arguments arguments(const Tracing& t, Graph& g, const char* third) {
  const int n = t.c.nv;
  Arguments x;
  x.q = inputs(g, "q", t.c.nq), x.v = inputs(g, "v", n), x.third = inputs(g, third, n);
  x.w = inputs(g, "w", n);
  return x;
}

// Where positions are numbers; quaternions change with velocities in their own way.
Graph by_chain_rule(const Tracing& t, const Graph& program, const char* third,
                    const std::string& by_third) {
  Graph g;
  const Arguments x = arguments(t, g, third);
  Exprs all = x.q;
  all.insert(all.end(), x.v.begin(), x.v.end()),
      all.insert(all.end(), x.third.begin(), x.third.end());
  const Exprs derivatives = vector_jacobian(x.w, evaluate<Expr>(program, all), all);
  const auto at = [&](int k) { return derivatives.begin() + k * t.c.nv; };
  outputs(g, "gq", Exprs(at(0), at(1))), outputs(g, "gv", Exprs(at(1), at(2)));
  outputs(g, by_third, Exprs(at(2), at(3)));
  return g;
}

}  // namespace

Graph inverse_vjp(const Tracing& t) {
  Graph g;
  const Arguments x = arguments(t, g, "a");
  Exprs gq(t.c.nv), gv(t.c.nv), ga(t.c.nv);
  InverseGradient<Expr> gradient(t.c);
  gradient.at.mechanism = Mechanism<Expr>(t.mechanism);
  gradient.vector_product(x.q.data(), x.v.data(), x.third.data(), x.w.data(), gq.data(), gv.data(),
                          ga.data());
  outputs(g, "gq", gq), outputs(g, "gv", gv), outputs(g, "ga", ga);
  Graph best;
  t.keep_leaner(best, g);
  if (t.c.nq == t.c.nv) t.keep_leaner(best, by_chain_rule(t, torque(t, true, true), "a", "ga"));
  return factor(best);
}

Graph forward_vjp(const Tracing& t) {
  Graph g;
  const Arguments x = arguments(t, g, "tau");
  Exprs gq(t.c.nv), gv(t.c.nv), gtau(t.c.nv);
  ForwardGradient<Expr> gradient(t.c);
  gradient.forward.at.mechanism = gradient.inverse.at.mechanism = Mechanism<Expr>(t.mechanism);
  gradient.vector_product(x.q.data(), x.v.data(), x.third.data(), x.w.data(), gq.data(), gv.data(),
                          gtau.data());
  outputs(g, "gq", gq), outputs(g, "gv", gv), outputs(g, "gtau", gtau);
  Graph best;
  t.keep_leaner(best, g);
  if (t.c.nq == t.c.nv) t.keep_leaner(best, by_chain_rule(t, forward(t), "tau", "gtau"));
  return factor(best);
}

}  // namespace parid::generating
