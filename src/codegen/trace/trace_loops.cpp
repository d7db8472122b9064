// Whole steps as one program: of a controller, and of a simulation under torques.
//
// Both take an optimised program and insert it as often as needed; nothing is traced
// twice.

#include <fmt/format.h>

#include <cmath>

#include "codegen/trace/trace.hpp"
#include "model/description.hpp"
#include "model/joint/chart_rate.hpp"
#include "model/joint/manifold.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

struct MotionState {
  Exprs q, v;
};

Exprs plus(const Exprs& a, const Expr& h, const Exprs& b) {  // a + h b
  Exprs x;
  for (std::size_t k = 0; k < a.size(); ++k) x.push_back(a[k] + h * b[k]);
  return x;
}

class Steps {
 public:
  Steps(const Tracing& t, const Graph& forward, Graph& in, const Expr& dt)
      : d_(t.robot.description()), forward_(forward), in_(in), h_(dt) {}

  // Velocities first, then positions with the new ones.
  MotionState euler(const MotionState& x, const Exprs& tau) const {
    const Exprs v = plus(x.v, h_, acceleration(x.q, x.v, tau)), none(v.size());
    return {moved(x.q, plus(none, h_, v)), v};
  }

  // The classical method, in coordinates about the start of the step (simulation/runge_kutta.cpp).
  MotionState rk4(const MotionState& x, const Exprs& tau) const {
    const std::size_t n = x.v.size();
    const Expr half = Expr(0.5) * h_, share[] = {Expr(0.0), half, half, h_};
    Exprs du[4], dv[4];
    for (int s = 0; s < 4; ++s) {
      Exprs u(n), v = x.v;
      if (s > 0) {
        u = plus(u, share[s], du[s - 1]);
        v = plus(v, share[s], dv[s - 1]);
      }
      du[s].resize(n);
      chart_rate(d_, u.data(), v.data(), du[s].data());
      dv[s] = acceleration(s > 0 ? moved(x.q, u) : x.q, v, tau);
    }
    const Expr sixth = Expr(1. / 6) * h_, two(2.0);
    auto sum = [&](const Exprs* k) {
      Exprs r;
      for (std::size_t i = 0; i < n; ++i)
        r.push_back(k[0][i] + two * (k[1][i] + k[2][i]) + k[3][i]);
      return r;
    };
    return {moved(x.q, plus(Exprs(n), sixth, sum(du))), plus(x.v, sixth, sum(dv))};
  }

 private:
  Exprs moved(const Exprs& q, const Exprs& u) const {
    Exprs to(q.size());
    integrate(d_, q.data(), u.data(), to.data());
    return to;
  }

  Exprs acceleration(const Exprs& q, const Exprs& v, const Exprs& tau) const {
    return called(forward_, in_, q, v, tau);
  }

  const Description& d_;
  const Graph& forward_;
  Graph& in_;
  Expr h_;
};

}  // namespace

Graph computed_torque(const Tracing& t) {
  const int n = t.c.nv;
  const Graph inverse = torque(t, true, true);
  Graph g;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", n);
  const Exprs q_wanted = inputs(g, "q_wanted", t.c.nq), v_wanted = inputs(g, "v_wanted", n),
              a_wanted = inputs(g, "a_wanted", n);
  const Exprs kp = inputs(g, "kp", n), kd = inputs(g, "kd", n);
  Exprs off(n), a(n);
  difference(t.robot.description(), q.data(), q_wanted.data(), off.data());
  for (int k = 0; k < n; ++k) a[k] = a_wanted[k] + kp[k] * off[k] + kd[k] * (v_wanted[k] - v[k]);
  outputs(g, "tau", called(inverse, g, q, v, a));
  return t.lean(g);
}

Graph rollout(const Tracing& t) {
  const GenerateOptions& o = t.options;
  const bool fourth_order = o.integrator == "rk4";
  if (!fourth_order && o.integrator != "euler")
    throw Error(
        fmt::format("`integrator`: unknown integrator '{}' for a rollout; choose from euler, rk4",
                    o.integrator));
  if (o.steps < 1) throw Error(fmt::format("`steps`: {} is out of range; give 1 or more", o.steps));
  if (!(o.dt > 0 && std::isfinite(o.dt)) && !o.step)
    throw Error(fmt::format("`dt`: {} s is not positive; give a time step above zero", o.dt));
  const Graph acceleration = forward(t);
  constexpr std::size_t most = 400'000;  // beyond this, compilers take minutes
  const std::size_t evaluations = static_cast<std::size_t>(o.steps) * (fourth_order ? 4 : 1);
  if (acceleration.size() * evaluations > most)
    throw Error(fmt::format("`steps`: {} steps need a program of {} operations; the limit is {}",
                            o.steps, acceleration.size() * evaluations,
                            most / (acceleration.size() * (fourth_order ? 4 : 1))));
  const int n = t.c.nv;
  Graph g;
  MotionState x{inputs(g, "q", t.c.nq), inputs(g, "v", n)};
  const Exprs tau = inputs(g, "tau", n * o.steps);
  const Expr dt = o.step ? input(g, "dt1") : Expr(o.dt);
  const Steps steps(t, acceleration, g, dt);
  Exprs q_path, v_path;
  for (int s = 0; s < o.steps; ++s) {
    const Exprs now(tau.begin() + s * n, tau.begin() + (s + 1) * n);
    x = fourth_order ? steps.rk4(x, now) : steps.euler(x, now);
    if (!o.path && s + 1 < o.steps) continue;
    q_path.insert(q_path.end(), x.q.begin(), x.q.end());
    v_path.insert(v_path.end(), x.v.begin(), x.v.end());
  }
  outputs(g, "q_end", q_path);
  outputs(g, "v_end", v_path);
  return simplify(g);
}

}  // namespace parid::codegen
