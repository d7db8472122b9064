// Quantities traced by running their evaluators on expressions, and derivatives along a direction.

#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/array_size.hpp"
#include "dynamics/evaluator/evaluator.hpp"
#include "graph/evaluate.hpp"

namespace parid::codegen {

// Inputs and outputs as the table of quantities has them. Without regrouping of inertias: centres
// of mass and momenta depend on all of them.
Graph by_evaluator(const Tracing& t, Quantity which) {
  Graph g;
  const QuantityInfo& about = info(which);
  std::vector<Exprs> in, out;
  std::vector<const Expr*> from;
  std::vector<Expr*> to;
  for (const ArrayInfo& a : about.inputs)
    in.push_back(inputs(g, a.name, static_cast<int>(count(t.robot, a.shape))));
  for (const RowLayout::Array& a : t.rows.arrays())
    in.push_back(inputs(g, a.name, static_cast<int>(a.numbers)));
  for (const ArrayInfo& a : about.outputs) out.emplace_back(count(t.robot, a.shape), Expr(0.0));
  for (const Exprs& x : in) from.push_back(x.data());
  for (Exprs& x : out) to.push_back(x.data());
  (*make_evaluator<Expr>(t.robot, which, &t.rows))(about.needs_link ? t.link() : 0, from.data(),
                                                   to.data());
  for (std::size_t k = 0; k < out.size(); ++k)
    if (about.outputs[k].shape == ArrayShape::scalar)
      output(g, about.outputs[k].name, out[k][0]);
    else
      outputs(g, about.outputs[k].name, out[k]);
  return t.lean(g);
}

namespace {

using D = Dual<1, Expr>;

// The rates of a program's outputs along (dq, dv, d`third`). Its inputs are q, v, `third`, then the
// weights w if it has them, then what the options add.
Exprs rates_along(const Graph& program, const Tracing& t, Graph& g, const std::string& third,
                  bool weights) {
  const int n = t.c.nv;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", n), x = inputs(g, third, n);
  const Exprs w = weights ? inputs(g, "w", n) : Exprs{};
  const Exprs dq = inputs(g, "dq", n), dv = inputs(g, "dv", n), dx = inputs(g, "d" + third, n);
  Exprs rate(q.size());
  position_rate(t.robot.description(), q.data(), dq.data(), rate.data());
  std::vector<D> all;
  auto add = [&](const Exprs& value, const Exprs& direction) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      D d;
      d.value = value[k];
      if (!direction.empty()) d.d[0] = direction[k];
      all.push_back(d);
    }
  };
  add(q, rate);
  add(v, dv);
  add(x, dx);
  add(w, {});
  for (std::size_t k = all.size(); k < program.inputs().size(); ++k)
    add({input(g, program.inputs()[k].name)}, {});
  Exprs out;
  for (const D& y : graph::evaluate<D>(program, all)) out.push_back(y.d[0]);
  return out;
}

}  // namespace

Graph inverse_jvp(const Tracing& t) {
  Graph g;
  outputs(g, "dtau", rates_along(torque(t, true, true), t, g, "a", false));
  return t.lean(g);
}

Graph inverse_hvp(const Tracing& t) {
  Graph g;
  const Exprs all = rates_along(inverse_vjp(t), t, g, "a", true);
  const auto n = static_cast<std::ptrdiff_t>(t.c.nv);
  outputs(g, "hq", Exprs(all.begin(), all.begin() + n));
  outputs(g, "hv", Exprs(all.begin() + n, all.begin() + 2 * n));
  outputs(g, "ha", Exprs(all.begin() + 2 * n, all.begin() + 3 * n));
  return t.lean(g);
}

// M da = dtau − the rate of the torques along (dq, dv).
Graph forward_jvp(const Tracing& t) {
  Graph g;
  const int n = t.c.nv;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", n), tau = inputs(g, "tau", n);
  const Exprs dq = inputs(g, "dq", n), dv = inputs(g, "dv", n), dtau = inputs(g, "dtau", n);
  const Scene scene(t, g);
  CompositeForward<Expr> forward(t.c);
  scene.set(forward.at);
  Exprs third(n);
  forward.acceleration(q.data(), v.data(), tau.data(), third.data());
  third.insert(third.end(), dq.begin(), dq.end());
  third.insert(third.end(), dv.begin(), dv.end());
  third.insert(third.end(), static_cast<std::size_t>(n), Expr(0.0));
  Exprs da = called(inverse_jvp(t), g, q, v, third);
  for (int k = 0; k < n; ++k) da[k] = dtau[k] - da[k];
  forward.solve(da.data());
  outputs(g, "da", da);
  return t.lean(g);
}

}  // namespace parid::codegen
