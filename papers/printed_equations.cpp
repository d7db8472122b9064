#include "papers/printed_equations.hpp"

#include <vector>

#include "formulation/lathrop.hpp"
#include "formulation/newton_euler_link.hpp"
#include "papers/layer.hpp"

namespace parid::papers {
namespace {

using V = Vec3<double>;
using M = Mat3<double>;
using Arm = Mechanism<double>;
using At = State<double>;

V far_end(const Arm& m, int i) { return i < m.n ? m.placing[i + 1].vec(9) : V(); }

void newton_euler(const NewtonEulerSwitches& s, const Arm& m, const At& at, double* tau) {
  auto in = [&](int i, const V& v) {
    return s.turned_back ? at.R(i) * v : transposed_times(at.R(i), v);
  };
  auto out = [&](int i, const V& v) {
    return s.turned_back ? transposed_times(at.R(i), v) : at.R(i) * v;
  };
  V w, wd, end = -at.gravity, centre = -at.gravity;
  std::vector<V> F(m.n + 1), N(m.n + 1);
  for (int i = 1; i <= m.n; ++i) {
    const V before = in(i, w), z_qd{0, 0, at.qd(i)}, z_qdd{0, 0, at.qdd(i)};
    wd = in(i, wd) + z_qdd + cross(before, z_qd);
    w = before + (s.acceleration_in_rate ? z_qdd : z_qd);
    auto on = [&](const V& from, const V& r) {
      return from + cross(wd, r) + cross(w, cross(w, r));
    };
    const V start = in(i, end), far = far_end(m, i), c = m.centre[i].vec(0);
    end = on(start, far);
    if (s.centre_from_centre)
      centre = on(in(i, centre), c - far);
    else
      centre = on(s.near_centre_from_centre ? in(i, centre) : start, c);
    const Sym3<double> J = m.centre[i].sym(3);
    F[i] = m.body[i][0] * centre;
    N[i] = J * wd + cross(w, J * w);
  }
  V f, n;
  for (int i = m.n; i >= 1; --i) {
    const V f_next = i < m.n ? out(i + 1, f) : V(), n_next = i < m.n ? out(i + 1, n) : V();
    f = F[i] + f_next;
    n = n_next + N[i] + cross(m.centre[i].vec(0), F[i]) + cross(far_end(m, i), f_next);
    tau[i] = n.z;
  }
}

M quarter_turned(const M& A) {
  return {{A.r0.y, -A.r0.x, 0}, {A.r1.y, -A.r1.x, 0}, {A.r2.y, -A.r2.x, 0}};
}
double trace(const M& A) { return A.r0.x + A.r1.y + A.r2.z; }

struct LagrangeLink {
  M W, W1, Wdd;
  V pdd;
};

// W, ∂W/∂q and Ẅ of every link; p̈ is left to the caller.
std::vector<LagrangeLink> turned(const Arm& m, const At& at, bool no_rate) {
  std::vector<LagrangeLink> link(m.n + 1);
  M W = M::identity(), Wd, Wdd;
  for (int i = 1; i <= m.n; ++i) {
    const M A = at.R(i), A1 = quarter_turned(A), A2 = quarter_turned(A1), WA1 = W * A1;
    const double qd = at.qd(i);
    Wdd = Wdd * A + (2 * qd) * (Wd * A1) + (qd * qd) * (W * A2) + at.qdd(i) * WA1;
    Wd = no_rate ? Wd * A : Wd * A + qd * WA1;
    W = W * A;
    link[i] = {W, WA1, Wdd, {}};
  }
  return link;
}

void lagrange(const LagrangeSwitches& s, const Arm& m, const At& at, double* tau) {
  std::vector<LagrangeLink> link = turned(m, at, s.no_rate);
  for (int i = 1; i <= m.n; ++i) {
    const V on = i > 1 ? link[i - 1].Wdd * at.p(i) : V();
    link[i].pdd = (i > 1 ? link[i - 1].pdd : V()) + (s.minus ? -on : on);
  }
  M D;
  V e, c;
  double beyond = 0;
  for (int i = m.n; i >= 1; --i) {
    const double mass = m.body[i][0];
    const V first = m.body[i].vec(1), n = s.over_mass ? (1 / (mass * mass)) * first : first;
    const LagrangeLink& l = link[i];
    const M own = outer(n, l.pdd) + full(m.body[i].sym(4)) * transposed(l.Wdd);
    if (i < m.n) {
      const M A = at.R(i + 1);
      const V p = at.p(i + 1);
      D = A * D + outer(p, e) + own;
      c = n + A * c + (s.no_lever ? V() : beyond * p);
    } else {
      D = own;
      c = n;
    }
    e = e + mass * l.pdd + l.Wdd * n;
    beyond += mass;
    tau[i] = trace(l.W1 * D) - dot(at.gravity, l.W1 * c);
  }
}

void lagrange_far(const FarSwitches& s, const Arm& m, const At& at, double* tau) {
  std::vector<LagrangeLink> link = turned(m, at, false);
  V pdd = -at.gravity;
  for (int i = 1; i <= m.n; ++i) {
    const M turning = s.before_link ? (i > 1 ? link[i - 1].Wdd : M()) : link[i].Wdd;
    link[i].pdd = pdd = pdd + turning * far_end(m, i);
  }
  M D;
  V e;
  for (int i = m.n; i >= 1; --i) {
    const double mass = m.body[i][0];
    const V far = far_end(m, i), first = m.body[i].vec(1), n = first - mass * far;
    const M J =
        full(m.body[i].sym(4)) - outer(first, far) - outer(far, first) + mass * outer(far, far);
    const LagrangeLink& l = link[i];
    const M own = outer(n, l.pdd) + J * transposed(l.Wdd);
    if (i < m.n) {
      const M A = at.R(i + 1);
      D = A * D + outer(A * far_end(m, i + 1), e) + own;
    } else {
      D = own;
    }
    e = e + mass * l.pdd + l.Wdd * n;
    tau[i] = trace(l.W1 * (s.lost_term ? D : D + outer(far, e)));
  }
}

void by_links(bool lost_parenthesis, const Arm& m, const At& at, double* tau) {
  LathropMotion<double> x{M::identity(), {}, {}, {}, {}, {}, -at.gravity};
  std::vector<V> F(m.n + 1), N(m.n + 1), p(m.n + 1);
  for (int i = 1; i <= m.n; ++i) {
    const bool slides = m.kind(i) == JointKind::prismatic;
    const V slide = slides ? transposed_times(at.R(i), at.p(i) - m.placing[i].vec(9)) : V();
    p[i] = far_end(m, i) + slide;
    const auto y = lathrop_leaf(at.R(i), p[i], m.kind(i), {0, 0, at.qd(i)}, {0, 0, at.qdd(i)});
    const V lost = cross(transposed_times(y.W, x.w), y.Q);
    x = lathrop_combined(x, y);
    if (lost_parenthesis) x.pdd = x.pdd - lost;
    lathrop_newton_euler({m.body[i][0], m.centre[i].vec(0) - far_end(m, i), m.centre[i].sym(3)}, x,
                         F[i], N[i]);
  }
  V f, n;
  for (int i = m.n; i >= 1; --i) {
    const V f_next = i < m.n ? at.R(i + 1) * f : V(), n_next = i < m.n ? at.R(i + 1) * n : V();
    const V s = p[i] + m.centre[i].vec(0) - far_end(m, i);
    f = F[i] + f_next;
    n = n_next + N[i] + cross(s, F[i]) + cross(p[i], f_next);
    tau[i] = m.kind(i) == JointKind::prismatic ? f.z : n.z;
  }
}

}  // namespace

JointTorques newton_euler(const NewtonEulerSwitches& s) {
  return [s](const Arm& m, const At& at, double* tau) { newton_euler(s, m, at, tau); };
}

JointTorques lagrange(const LagrangeSwitches& s) {
  return [s](const Arm& m, const At& at, double* tau) { lagrange(s, m, at, tau); };
}

JointTorques lagrange_far(const FarSwitches& s) {
  return [s](const Arm& m, const At& at, double* tau) { lagrange_far(s, m, at, tau); };
}

JointTorques lathrop_by_links(bool lost_parenthesis) {
  return [=](const Arm& m, const At& at, double* tau) { by_links(lost_parenthesis, m, at, tau); };
}

void squares_of_accelerations(const Arm& m, const At& at, double* tau) {
  NewtonEulerLink<double> f(m);
  std::vector<double> still(m.n + 1), quadratic(m.n + 1), gravity(m.n + 1);
  At state = at;
  auto with = [&](auto qd, auto qdd, std::vector<double>& to) {
    for (int i = 1; i <= m.n; ++i) state.set_rates(i, qd(i), qdd(i));
    f.torque(m, state, to.data());
  };
  auto zero = [](int) { return 0.0; };
  auto acceleration = [&](int i) { return at.qdd(i); };
  with(zero, acceleration, still);
  with(acceleration, zero, quadratic);
  with(zero, zero, gravity);
  for (int i = 1; i <= m.n; ++i) tau[i] = still[i] + quadratic[i] - gravity[i];
}

}  // namespace parid::papers
