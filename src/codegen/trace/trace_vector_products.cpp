// Vector-Jacobian products: the derivatives of Σ w·tau, or Σ w·a, by each coordinate. By the sweeps
// of dynamics/, or by the chain rule through the cheapest program; whichever is cheaper. If
// inertial parameters are arguments, the derivatives by them are included.

#include "codegen/trace/gradient.hpp"
#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/derivative/forward_gradient.hpp"

namespace parid::codegen {
namespace {

struct Arguments {
  Exprs q, v, third, w;  // third: a or tau
};
Arguments arguments(const Tracing& t, Graph& g, const std::string& third) {
  const int n = t.c.nv;
  Arguments x;
  x.q = inputs(g, "q", t.c.nq);
  x.v = inputs(g, "v", n);
  x.third = inputs(g, third, n);
  x.w = inputs(g, "w", n);
  return x;
}

Graph by_chain_rule(const Tracing& t, const Graph& program, const std::string& third) {
  Graph g;
  const Arguments x = arguments(t, g, third);
  const Exprs y = appended(program, g);
  Exprs all = x.q, pi;
  for (const Exprs& more : {x.v, x.third}) all.insert(all.end(), more.begin(), more.end());
  for (const Named& i : program.inputs())
    if (i.name.starts_with("pi")) pi.push_back(input(g, i.name));
  all.insert(all.end(), pi.begin(), pi.end());
  const Exprs derivatives = vector_jacobian(x.w, y, all);
  auto from = derivatives.begin();
  auto next = [&](std::size_t count) {
    Exprs part(from, from + static_cast<std::ptrdiff_t>(count));
    from += static_cast<std::ptrdiff_t>(count);
    return part;
  };
  const Exprs by_q = next(x.q.size());
  Exprs gq;  // derivatives by a quaternion are along the velocities
  for (const Exprs& lead : directions(t.robot.description(), x.q, x.v.size())) {
    Expr sum(0.0);
    for (std::size_t k = 0; k < lead.size(); ++k) sum = sum + lead[k] * by_q[k];
    gq.push_back(sum);
  }
  outputs(g, "gq", gq);
  outputs(g, "gv", next(x.v.size()));
  outputs(g, "g" + third, next(x.third.size()));
  if (!pi.empty()) outputs(g, "gpi", next(pi.size()));
  return g;
}

// use(arguments, scene, gq, gv, gthird) computes them.
template <class Use>
Graph by_sweeps(const Tracing& t, const std::string& third, const Use& use) {
  Graph g;
  const Arguments x = arguments(t, g, third);
  const Scene scene(t, g);
  Exprs gq(t.c.nv), gv(t.c.nv), gthird(t.c.nv);
  use(x, scene, gq.data(), gv.data(), gthird.data());
  outputs(g, "gq", gq);
  outputs(g, "gv", gv);
  outputs(g, "g" + third, gthird);
  return g;
}

}  // namespace

Graph inverse_vjp(const Tracing& t) {
  Graph best;
  t.keep_leaner(best, by_chain_rule(t, torque(t, true, true), "a"));
  if (t.options.parameters) return factored(best);
  t.keep_leaner(
      best,
      by_sweeps(t, "a", [&](const Arguments& x, const Scene& scene, Expr* gq, Expr* gv, Expr* ga) {
        InverseGradient<Expr> gradient(t.c);
        scene.set(gradient.at);
        gradient.vector_product(x.q.data(), x.v.data(), x.third.data(), x.w.data(), gq, gv, ga);
      }));
  return factored(best);
}

Graph forward_vjp(const Tracing& t) {
  Graph best;
  t.keep_leaner(best, by_chain_rule(t, forward(t), "tau"));
  if (t.options.parameters) return factored(best);
  // y = M⁻¹ w; then −y times the derivatives of torques, by their cheapest program.
  const Graph row = inverse_vjp(t);
  t.keep_leaner(
      best, by_sweeps(t, "tau",
                      [&](const Arguments& x, const Scene& scene, Expr* gq, Expr* gv, Expr* gtau) {
                        CompositeForward<Expr> forward(t.c);
                        scene.set(forward.at);
                        const int n = t.c.nv;
                        Exprs a(n), y = x.w;
                        forward.acceleration(x.q.data(), x.v.data(), x.third.data(), a.data());
                        forward.solve(y.data());
                        a.insert(a.end(), y.begin(), y.end());
                        const Exprs g = called(row, *x.w[0].graph(), x.q, x.v, a);
                        for (int k = 0; k < n; ++k) {
                          gq[k] = -g[k];
                          gv[k] = -g[n + k];
                          gtau[k] = y[k];
                        }
                      }));
  t.keep_leaner(
      best, by_sweeps(t, "tau",
                      [&](const Arguments& x, const Scene& scene, Expr* gq, Expr* gv, Expr* gtau) {
                        ForwardGradient<Expr> gradient(t.c);
                        scene.set(gradient.forward.at);
                        scene.set(gradient.inverse.at);
                        gradient.vector_product(x.q.data(), x.v.data(), x.third.data(), x.w.data(),
                                                gq, gv, gtau);
                      }));
  return factored(best);
}

}  // namespace parid::codegen
