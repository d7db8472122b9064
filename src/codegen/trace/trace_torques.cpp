// Torques: inverse dynamics, with or without velocities and accelerations.

#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/friction_stage.hpp"
#include "formulation/newton_euler_link.hpp"
#include "formulation/newton_euler_screw.hpp"

namespace parid::codegen {
namespace {

// The links whose axis is parallel to their parent's.
std::vector<bool> parallel(const CanonicalModel& c) {
  std::vector<bool> p(c.topology.n + 1, false);
  for (int i = 2; i <= c.topology.n; ++i) {
    const int j = c.topology.parent[i];
    // A cosine of 1 is not sufficient: that of 3e-9 rad is 1 too.
    const Vec3<double> z = c.mechanism.placing[i].mat(0).column(2);
    p[i] = j > 0 && c.topology.kind[i] == JointKind::revolute &&
           c.topology.kind[j] == JointKind::revolute && z.x == 0 && z.y == 0 && z.z == 1;
  }
  return p;
}

// The reactions computed by a formulation, in the form that FrictionStage requires.
template <class F>
struct Reactions {
  const F& of;
  Vec3<Expr> f_packed(int i) const { return of.f(i); }
  Vec3<Expr> n_packed(int i) const { return of.n(i); }
};

// Adds bearing friction and drive losses to tau: those of the robot, or with coefficients as
// inputs.
template <class F>
void add_friction(const Tracing& t, Graph& g, const F& formulation, const State<Expr>& motion,
                  const Exprs& joint, const Exprs& v, Exprs& tau) {
  if (t.options.friction) {
    FrictionStage<Expr> stage(t.c);
    Exprs bearing(joint.size()), drive(joint.size());
    stage.torque(motion, Reactions<F>{formulation}, joint.data(), bearing.data(), drive.data());
    for (const Exprs& part : {bearing, drive}) {
      Exprs taken(t.c.nv);
      store_friction(
          t.c, motion, part.data(), [&](int k) { return taken[k]; },
          [&](int k, const Expr& x) { taken[k] = x; });
      for (int k = 0; k < t.c.nv; ++k) tau[k] = tau[k] + taken[k];
    }
  }
  if (t.options.friction_coefficients) {
    const Exprs viscous = inputs(g, "viscous", t.c.nv), coulomb = inputs(g, "coulomb", t.c.nv);
    for (int k = 0; k < t.c.nv; ++k) {
      const FrictionColumns<Expr> x = friction_columns(v[k]);
      tau[k] = tau[k] + viscous[k] * x.viscous + coulomb[k] * x.coulomb;
    }
  }
}

template <class F>
Graph traced_torque(const Tracing& t, F& formulation, bool velocities, bool accelerations) {
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq);
  const Exprs v = velocities ? inputs(g, "v", t.c.nv) : Exprs(t.c.nv);
  const Exprs a = accelerations ? inputs(g, "a", t.c.nv) : Exprs(t.c.nv);
  const Scene scene(t, g);
  const Mechanism<Expr>& mechanism = scene.mechanism;
  State<Expr> motion(mechanism);
  scene.act_on(motion);
  auto of = [](const Exprs& x) { return [&x](int k) { return x[k]; }; };
  load_state(t.c, motion, of(q), of(v), of(a));
  motion.place(mechanism);
  Exprs joint(t.c.topology.n + 1), tau(t.c.nv);
  formulation.torque(mechanism, motion, joint.data());
  const Exprs none(t.c.nv);
  store_torque(
      t.c, motion, joint.data(),
      [&](int i) {
        return Wrench<Expr>{formulation.f(i), formulation.n(i)};
      },
      of(t.rotors ? a : none), of(tau), [&](int k, const Expr& x) { tau[k] = x; }, t.rotors);
  add_friction(t, g, formulation, motion, joint, v, tau);
  outputs(g, "tau", tau);
  return g;
}

}  // namespace

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

}  // namespace parid::codegen
