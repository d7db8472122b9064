#include "parid/generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parid/dynamics/articulated_body.hpp"
#include "parid/dynamics/base_parameters.hpp"
#include "parid/dynamics/composite_forward.hpp"
#include "parid/dynamics/energy.hpp"
#include "parid/dynamics/forward_gradient.hpp"
#include "parid/dynamics/regressor.hpp"
#include "parid/error.hpp"
#include "parid/formulation/newton_euler_link.hpp"
#include "parid/formulation/newton_euler_screw.hpp"
#include "parid/generate/gradient.hpp"
#include "parid/ir/angle_sums.hpp"
#include "parid/ir/expand.hpp"
#include "parid/ir/expr.hpp"
#include "parid/ir/factor.hpp"
#include "parid/ir/simplify.hpp"
#include "parid/model/canonical.hpp"
#include "parid/model/description.hpp"
#include "parid/model/spelling.hpp"

namespace parid {
namespace {

using Exprs = std::vector<Expr>;

Exprs inputs(Graph& g, const char* name, int count) {
  Exprs x;
  for (int k = 1; k <= count; ++k) x.push_back(input(g, name + std::to_string(k)));
  return x;
}
void outputs(Graph& g, const char* name, const Exprs& x) {
  for (std::size_t k = 0; k < x.size(); ++k) output(g, name + std::to_string(k + 1), x[k]);
}

long weight(const Graph& g) {
  const Counts n = counts(g);
  return n.multiplications + n.additions + 4 * n.divisions;
}

// With pairs of sine and cosine, each of which takes as long as sixteen operations or so.
long worth(const Graph& g) { return weight(g) + 16 * counts(g).sin_cos; }

// Factored, after or before or without putting sums of angles together: whatever leaves the least. In a large
// graph that takes seconds and saves next to nothing.
Graph factored(const Graph& g, Graph best) {  // best: what factor makes of it
  if (g.size() > 20'000) return best;
  for (const Graph* from : {&g, static_cast<const Graph*>(&best)}) {
    const Graph turned = angle_sums(*from);
    if (weight(turned) == weight(*from)) continue;
    if (Graph f = factor(turned); worth(f) < worth(best)) best = std::move(f);
  }
  // Of a small arm, or of gravity, the closed form may be leaner than the recursion.
  if (g.size() < 400) try {
      if (Graph f = factor(collected(g, expanded(g, 100))); worth(f) < worth(best))
        best = std::move(f);
    } catch (const NotExpandable&) {
    }
  return best;
}
Graph factored(const Graph& g) { return factored(g, factor(g)); }

// What is traced: the robot, its mechanism with the inertias that are asked for, and what the word wants.
struct Tracing {
  const Robot& robot;
  const Canonical& c;
  Mechanism<double> mechanism;
  bool rotors = true;

  Graph lean(const Graph& g) const { return factored(simplify(g)); }

  // Factoring takes most of the time: it is for the best alone.
  void keep_leaner(Graph& best, Graph g) const {
    g = simplify(g);
    if (best.outputs().empty() || weight(g) < weight(best)) best = std::move(g);
  }
};

// Which links follow their parent on a parallel axis.
std::vector<bool> parallel(const Canonical& c) {
  std::vector<bool> p(c.topology.n + 1, false);
  for (int i = 2; i <= c.topology.n; ++i) {
    const int j = c.topology.parent[i];
    p[i] = j > 0 && c.topology.kind[i] == JointKind::revolute &&
           c.topology.kind[j] == JointKind::revolute && c.mechanism.placing[i].mat(0).r2.z == 1;
  }
  return p;
}

template <class F>
Graph traced_torque(const Tracing& t, F& formulation, bool velocities, bool accelerations) {
  Graph g;
  const Mechanism<Expr> mechanism(t.mechanism);
  Motion<Expr> motion(mechanism);
  const Exprs q = inputs(g, "q", t.c.nq);
  const Exprs v = velocities ? inputs(g, "v", t.c.nv) : Exprs(t.c.nv);
  const Exprs a = accelerations ? inputs(g, "a", t.c.nv) : Exprs(t.c.nv);
  auto of = [](const Exprs& x) { return [&x](int k) { return x[k]; }; };
  load_state(t.c, motion, of(q), of(v), of(a));
  motion.place(mechanism);
  Exprs joint(t.c.topology.n + 1), tau(t.c.nv);
  formulation.torque(mechanism, motion, joint.data());
  const Exprs none(t.c.nv);
  store_torque(
      t.c, joint.data(),
      [&](int i) {
        return Wrench<Expr>{formulation.f(i), formulation.n(i)};
      },
      of(t.rotors ? a : none), of(tau), [&](int k, const Expr& x) { tau[k] = x; });
  outputs(g, "tau", tau);
  return g;
}

Graph torque(const Tracing& t, bool velocities, bool accelerations) {
  Graph best;
  const Mechanism<Expr> mechanism(t.mechanism);
  NewtonEulerLink<Expr, Mat3> link(mechanism);
  t.keep_leaner(best, traced_torque(t, link, velocities, accelerations));
  for (const bool joined : {false, true}) {
    NewtonEulerScrew<Expr> screw(mechanism);
    if (joined) screw.joined = parallel(t.c);
    t.keep_leaner(best, traced_torque(t, screw, velocities, accelerations));
  }
  return factored(best);
}

Graph mass(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  Exprs M(t.c.nv * t.c.nv);
  MassMatrix<Expr> m(t.c);
  m.at.mechanism = Mechanism<Expr>(t.mechanism);
  m(q.data(), M.data());
  outputs(g, "M", M);
  return t.lean(g);
}

template <template <class> class Method>
Graph forward_by(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv),
              tau = inputs(g, "tau", t.c.nv);
  Exprs a(t.c.nv);
  Method<Expr> forward(t.c);
  forward.at.mechanism = Mechanism<Expr>(t.mechanism);
  forward.acceleration(q.data(), v.data(), tau.data(), a.data());
  outputs(g, "a", a);
  return g;
}
Graph forward(const Tracing& t) {
  Graph best;
  t.keep_leaner(best, forward_by<CompositeForward>(t));
  if (ArticulatedBody<Expr>::covers(t.c)) t.keep_leaner(best, forward_by<ArticulatedBody>(t));
  return factored(best);
}

Graph analytic_gradient(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv), a = inputs(g, "a", t.c.nv);
  const int size = t.c.nv * t.c.nv;
  Exprs dq(size), dv(size), da(size);
  InverseGradient<Expr> gradient(t.c);
  gradient.at.mechanism = Mechanism<Expr>(t.mechanism);
  gradient(q.data(), v.data(), a.data(), dq.data(), dv.data(), da.data());
  outputs(g, "dq", dq), outputs(g, "dv", dv), outputs(g, "da", da);
  return g;
}
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
  const int size = t.c.nv * t.c.nv;
  Exprs dq(size), dv(size), dtau(size);
  ForwardGradient<Expr> gradient(t.c);
  gradient.forward.at.mechanism = gradient.inverse.at.mechanism = Mechanism<Expr>(t.mechanism);
  gradient(q.data(), v.data(), tau.data(), dq.data(), dv.data(), dtau.data());
  outputs(g, "dq", dq), outputs(g, "dv", dv), outputs(g, "dtau", dtau);
  Graph best = simplify(g);
  t.keep_leaner(best, forward_gradient_of(t.c, t.mechanism, inverse_gradient(t)));
  return factored(best);
}

Graph regressor(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv), a = inputs(g, "a", t.c.nv);
  Regressor<Expr> r(t.c);
  Exprs Y(t.c.nv * r.columns());
  r(q.data(), v.data(), a.data(), Y.data());
  outputs(g, "Y", Y);
  return t.lean(g);
}

Graph energy(const Tracing& t) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", t.c.nv);
  Energy<Expr> e(t.c);  // the inertias as they are: a centre of mass depends on all of them
  const EnergyAnswer<Expr> x = e(q.data(), v.data());
  auto vector = [&](const char* name, const Vec3<Expr>& u) { outputs(g, name, {u.x, u.y, u.z}); };
  output(g, "kinetic", x.kinetic), output(g, "potential", x.potential);
  vector("centre", x.centre), vector("centre_velocity", x.centre_velocity);
  vector("linear_momentum", x.linear_momentum), vector("angular_momentum", x.angular_momentum);
  return t.lean(g);
}

struct Row {
  Question question;
  Graph (*trace)(const Tracing&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {{"inverse", "q, v, a", "tau", "torques of a motion"},
       [](const Tracing& t) { return torque(t, true, true); }},
      {{"forward", "q, v, tau", "a", "accelerations under torques"}, forward},
      {{"mass", "q", "M (n, n)", "the mass matrix"}, mass},
      {{"bias", "q, v", "tau", "torques at no acceleration"},
       [](const Tracing& t) { return torque(t, true, false); }},
      {{"gravity", "q", "tau", "torques at rest"},
       [](const Tracing& t) { return torque(t, false, false); }},
      {{"inverse_gradient", "q, v, a", "dq, dv, da (n, n)", "derivatives of the torques"},
       inverse_gradient},
      {{"forward_gradient", "q, v, tau", "dq, dv, dtau (n, n)", "derivatives of the accelerations"},
       forward_gradient},
      {{"regressor", "q, v, a", "Y (n, 10 links)", "tau = Y times inertial parameters"}, regressor},
      {{"energy", "q, v", "kinetic, potential, centre, momenta", "energy and momentum"}, energy},
  };
  return all;
}

const Row& row_of(const std::string& what) {
  std::vector<std::string> words;
  for (const Row& r : rows()) {
    if (what == r.question.word) return r;
    words.push_back(r.question.word);
  }
  throw Error(fmt::format("'{}' is nothing that can be generated{}; choose from {}", what,
                          did_you_mean(what, words), fmt::join(words, ", ")));
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = [] {
    std::vector<Question> q;
    for (const Row& r : rows()) q.push_back(r.question);
    return q;
  }();
  return all;
}

Generated generate(const Robot& robot, const std::string& what, const GenerateOptions& options) {
  const Row& r = row_of(what);
  const Canonical& c = robot.canonical();
  const Regrouped base = base_parameters(c);
  Tracing t{robot, c, options.standard_parameters ? c.mechanism : with_parameters(c, base)};
  Generated made;
  made.base_parameters = base.count();
  Program& p = made.program;
  p.graph = r.trace(t);
  p.name = identifier(fmt::format("{}_{}", robot.name(), what));
  p.inputs = arguments(p.graph.inputs());
  p.outputs = arguments(p.graph.outputs());
  bool any_rotor = false;
  for (const Freedom& f : c.freedom) any_rotor |= f.rotor_inertia != 0;
  if (any_rotor && what == "inverse") {
    t.rotors = false;
    const Counts with = counts(p.graph), without = counts(r.trace(t));
    made.rotors.multiplications = std::max(0L, with.multiplications - without.multiplications);
    made.rotors.additions = std::max(0L, with.additions - without.additions);
  }
  const Description& d = robot.description();
  p.about = {fmt::format("{}: {} of {}.", r.question.word, r.question.says, robot.name())};
  if (!d.source.empty()) p.about.push_back("Robot: " + d.source);
  p.about.push_back("");
  for (const std::string& line : cost_lines(p.graph)) p.about.push_back(line);
  if (made.rotors.multiplications > 0)
    p.about.push_back(fmt::format("of these {} and {} are rotors' inertias",
                                  made.rotors.multiplications, made.rotors.additions));
  p.about.push_back(options.standard_parameters
                        ? "inertias as the robot has them"
                        : fmt::format("inertias regrouped into {} base parameters", base.count()));
  p.about.push_back("");
  const std::array<double, 3> gravity = robot.gravity();
  p.about.push_back(fmt::format(
      "SI units and radians; gravity {:g} {:g} {:g} m/s2; joints in the robot file's order.",
      gravity[0], gravity[1], gravity[2]));
  p.about.push_back(fmt::format("Takes {}; gives {}; matrices are row-major.", r.question.takes,
                                r.question.gives));
  return made;
}

}  // namespace parid
