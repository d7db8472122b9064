// Mass matrix, forward dynamics, Coriolis matrix, gradients, energy and regressor, each compared
// with its definition, on built-in robots and on random trees.

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/articulated_body.hpp"
#include "dynamics/base_parameters.hpp"
#include "dynamics/composite_forward.hpp"
#include "dynamics/coriolis.hpp"
#include "dynamics/derivative/forward_gradient.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/regressor.hpp"
#include "model/joint/manifold.hpp"
#include "parid/dynamics.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

Numbers torque(const Robot& r, const Numbers& q, const Numbers& v, const Numbers& a) {
  Workspace w(r);
  Numbers tau(r.nv());
  inverse_dynamics(r, w, q, v, a, tau);
  return tau;
}
Numbers moved(const Robot& r, const Numbers& q, const Numbers& v, double dt) {
  Numbers step(v), out(q.size());
  for (double& x : step) x *= dt;
  integrate(r.description(), q.data(), step.data(), out.data());
  return out;
}
double largest(const Numbers& x) {
  double m = 0;
  for (const double y : x) m = std::max(m, std::abs(y));
  return m;
}
void expect_near(const Numbers& x, const Numbers& y, double relative, const std::string& what) {
  ASSERT_EQ(x.size(), y.size());
  const double scale = std::max(largest(y), 1e-3);
  for (std::size_t k = 0; k < x.size(); ++k)
    ASSERT_NEAR(x[k], y[k], relative * scale) << what << ", entry " << k;
}

// Every kind of joint, tree and frame; and robots with joints that follow others.
std::vector<Robot> robots() {
  std::vector<Robot> all;
  for (const char* name :
       {"puma560", "stanford", "panda", "scara", "quadruped", "humanoid", "chain:1"})
    all.push_back(Robot::load(name));
  Rng rng(7);
  const RandomRobot mixed{
      .revolute = 2, .prismatic = 1, .fixed = 0.5, .planar = 0.5, .spherical = 0.7};
  RandomRobot floating = mixed;
  floating.floating_base = true;
  floating.tips = true;
  for (int k = 0; k < 12; ++k) all.push_back(Robot(random_tree(rng, 2 + k % 8, mixed)));
  for (int k = 0; k < 8; ++k) all.push_back(Robot(random_tree(rng, 2 + k % 8, floating)));
  for (int k = 0; k < 3; ++k) {
    Description d = random_tree(rng, 6);
    d.joints[4].mimic = Mimic{d.joints[1].name, -0.7, 0.2};
    d.joints[5].mimic = Mimic{d.joints[2].name, 1.5, 0};
    all.push_back(Robot(d));
  }
  Description two = random_tree(rng, 5, floating);  // afloat, and a part that is free of it
  two.joints[3].type = JointType::floating;
  all.push_back(Robot(two));
  return all;
}

class Dynamics : public testing::Test {
 protected:
  Rng rng{11};
  RandomState state(const Robot& r) { return random_state(rng, r.description()); }
};

TEST_F(Dynamics, MassMatrixIsWhatUnitAccelerationsNeed) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    Numbers M(n * n), zero(n, 0.0);
    MassMatrix<double> mass(r.canonical());
    mass(s.q.data(), M.data());
    const Numbers still = torque(r, s.q, zero, zero);
    for (int k = 0; k < n; ++k) {
      Numbers unit(n, 0.0), column(n);
      unit[k] = 1;
      const Numbers tau = torque(r, s.q, zero, unit);
      for (int i = 0; i < n; ++i) column[i] = M[i * n + k] + still[i];
      expect_near(column, tau, 1e-11, r.name() + " column " + std::to_string(k));
      for (int i = 0; i < n; ++i) ASSERT_EQ(M[i * n + k], M[k * n + i]);
    }
  }
}

TEST_F(Dynamics, ForwardUndoesInverse) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const Numbers tau = torque(r, s.q, s.v, s.a);
    Numbers a(r.nv());
    CompositeForward<double> composite(r.canonical());
    composite.acceleration(s.q.data(), s.v.data(), tau.data(), a.data());
    expect_near(a, s.a, 1e-9, r.name() + " by composite bodies");
    if (r.canonical().has_mimic) continue;
    ArticulatedBody<double> articulated(r.canonical());
    articulated.acceleration(s.q.data(), s.v.data(), tau.data(), a.data());
    expect_near(a, s.a, 1e-9, r.name() + " by articulated bodies");
  }
}

TEST_F(Dynamics, CoriolisMatrixTimesVelocityIsWhatVelocitiesAdd) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    Numbers C(n * n), zero(n, 0.0), Cv(n);
    Coriolis<double> coriolis(r.canonical());
    coriolis(s.q.data(), s.v.data(), C.data());
    const Numbers moving = torque(r, s.q, s.v, zero), still = torque(r, s.q, zero, zero);
    for (int i = 0; i < n; ++i) {
      Cv[i] = still[i];
      for (int k = 0; k < n; ++k) Cv[i] += C[i * n + k] * s.v[k];
    }
    expect_near(Cv, moving, 1e-11, r.name());
  }
}

TEST_F(Dynamics, MassMatrixRateLessTwiceCoriolisIsSkew) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    Numbers C(n * n), ahead(n * n), behind(n * n), rate(n * n), both(n * n);
    Coriolis<double> coriolis(r.canonical());
    coriolis(s.q.data(), s.v.data(), C.data());
    MassMatrix<double> mass(r.canonical());
    const double h = 1e-5;
    mass(moved(r, s.q, s.v, h).data(), ahead.data());
    mass(moved(r, s.q, s.v, -h).data(), behind.data());
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        rate[i * n + k] = (ahead[i * n + k] - behind[i * n + k]) / (2 * h);
        both[i * n + k] = C[i * n + k] + C[k * n + i];  // Ṁ = C + Cᵀ says the same
      }
    expect_near(both, rate, 1e-7, r.name());
  }
}

// Central differences of f along each velocity coordinate of x; rows are f's.
template <class F>
Numbers differences(int rows, int n, const F& f) {
  const double h = 1e-5;
  Numbers D(rows * n);
  for (int k = 0; k < n; ++k) {
    const Numbers ahead = f(k, h), behind = f(k, -h);
    for (int i = 0; i < rows; ++i) D[i * n + k] = (ahead[i] - behind[i]) / (2 * h);
  }
  return D;
}

TEST_F(Dynamics, InverseGradientIsThatOfDifferences) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    Numbers dq(n * n), dv(n * n), da(n * n);
    InverseGradient<double> gradient(r.canonical());
    gradient(s.q.data(), s.v.data(), s.a.data(), dq.data(), dv.data(), da.data());
    auto bumped = [](Numbers x, int k, double h) { return x[k] += h, x; };
    const Numbers unit(n, 0.0);
    expect_near(dq,
                differences(n, n,
                            [&](int k, double h) {
                              return torque(r, moved(r, s.q, bumped(unit, k, 1), h), s.v, s.a);
                            }),
                1e-7, r.name() + " by q");
    expect_near(
        dv,
        differences(n, n, [&](int k, double h) { return torque(r, s.q, bumped(s.v, k, h), s.a); }),
        1e-7, r.name() + " by v");
    expect_near(
        da,
        differences(n, n, [&](int k, double h) { return torque(r, s.q, s.v, bumped(s.a, k, h)); }),
        1e-7, r.name() + " by a");
  }
}

TEST_F(Dynamics, ForwardGradientIsThatOfDifferences) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    const Numbers tau = torque(r, s.q, s.v, s.a);
    CompositeForward<double> forward(r.canonical());
    auto acceleration = [&](const Numbers& q, const Numbers& v, const Numbers& t) {
      Numbers a(n);
      forward.acceleration(q.data(), v.data(), t.data(), a.data());
      return a;
    };
    Numbers dq(n * n), dv(n * n), dtau(n * n);
    ForwardGradient<double> gradient(r.canonical());
    gradient(s.q.data(), s.v.data(), tau.data(), dq.data(), dv.data(), dtau.data());
    auto bumped = [](Numbers x, int k, double h) { return x[k] += h, x; };
    const Numbers unit(n, 0.0);
    expect_near(dq,
                differences(n, n,
                            [&](int k, double h) {
                              return acceleration(moved(r, s.q, bumped(unit, k, 1), h), s.v, tau);
                            }),
                2e-6, r.name() + " by q");
    expect_near(
        dv,
        differences(n, n,
                    [&](int k, double h) { return acceleration(s.q, bumped(s.v, k, h), tau); }),
        2e-6, r.name() + " by v");
    expect_near(
        dtau,
        differences(n, n,
                    [&](int k, double h) { return acceleration(s.q, s.v, bumped(tau, k, h)); }),
        2e-6, r.name() + " by tau");
  }
}

// Wrenches on two links and a base that is carried about.
TEST_F(Dynamics, GradientsKnowWhatActsFromOutside) {
  for (const Robot& r : robots()) {
    if (r.nv() < 2) continue;
    Workspace w(r);
    w.set_base_motion({0.3, -0.2, 0.5}, {1, 0.4, -2}, {1, 2, 3});
    w.set_wrench(r.description().joints[0].child, {3, -1, 2}, {0.2, 0.1, -0.3});
    w.set_wrench(r.tip(), {-2, 5, 1}, {0.1, -0.2, 0.3});
    const RandomState s = state(r);
    const int n = r.nv();
    auto inverse = [&](const Numbers& q, const Numbers& v, const Numbers& a) {
      Numbers tau(n);
      inverse_dynamics(r, w, q, v, a, tau);
      return tau;
    };
    auto bumped = [](Numbers x, int k, double h) { return x[k] += h, x; };
    const Numbers unit(n, 0.0);
    Numbers dq(n * n), dv(n * n), da(n * n);
    inverse_gradient(r, w, s.q, s.v, s.a, dq, dv, da);
    expect_near(dq,
                differences(n, n,
                            [&](int k, double h) {
                              return inverse(moved(r, s.q, bumped(unit, k, 1), h), s.v, s.a);
                            }),
                1e-7, r.name() + " by q");
    expect_near(
        dv,
        differences(n, n, [&](int k, double h) { return inverse(s.q, bumped(s.v, k, h), s.a); }),
        1e-7, r.name() + " by v");
    Numbers a(n);
    forward_dynamics(r, w, s.q, s.v, inverse(s.q, s.v, s.a), a);
    expect_near(a, s.a, 1e-9, r.name() + " forward");
  }
}

TEST_F(Dynamics, VectorProductsAreTheMatrices) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    const Numbers w = state(r).v, tau = torque(r, s.q, s.v, s.a);
    Numbers dq(n * n), dv(n * n), da(n * n), gq(n), gv(n), ga(n);
    auto times = [&](const Numbers& D) {
      Numbers g(n, 0.0);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) g[k] += w[i] * D[i * n + k];
      return g;
    };
    InverseGradient<double> inverse(r.canonical());
    inverse(s.q.data(), s.v.data(), s.a.data(), dq.data(), dv.data(), da.data());
    inverse.vector_product(s.q.data(), s.v.data(), s.a.data(), w.data(), gq.data(), gv.data(),
                           ga.data());
    expect_near(gq, times(dq), 1e-11, r.name() + " inverse by q");
    expect_near(gv, times(dv), 1e-11, r.name() + " inverse by v");
    expect_near(ga, times(da), 1e-11, r.name() + " inverse by a");
    ForwardGradient<double> forward(r.canonical());
    forward(s.q.data(), s.v.data(), tau.data(), dq.data(), dv.data(), da.data());
    forward.vector_product(s.q.data(), s.v.data(), tau.data(), w.data(), gq.data(), gv.data(),
                           ga.data());
    expect_near(gq, times(dq), 1e-9, r.name() + " forward by q");
    expect_near(gv, times(dv), 1e-9, r.name() + " forward by v");
    expect_near(ga, times(da), 1e-9, r.name() + " forward by tau");
  }
}

TEST_F(Dynamics, PowerOfTorquesIsTheRateOfEnergy) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const Numbers tau = torque(r, s.q, s.v, s.a);
    Energy<double> energy(r.canonical());
    auto at = [&](double t) {  // along q̇ = v, v̇ = a to second order
      Numbers v(s.v), half(s.v);
      for (std::size_t k = 0; k < v.size(); ++k) {
        v[k] += t * s.a[k];
        half[k] += t / 2 * s.a[k];
      }
      const EnergyAnswer<double> e = energy(moved(r, s.q, half, t).data(), v.data());
      return e.kinetic + e.potential;
    };
    double power = 0;
    for (std::size_t k = 0; k < tau.size(); ++k) power += tau[k] * s.v[k];
    const double h = 1e-5;
    ASSERT_NEAR((at(h) - at(-h)) / (2 * h), power, 1e-6 * (1 + largest(tau))) << r.name();
  }
}

TEST_F(Dynamics, KineticEnergyIsHalfOfVMv) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    const int n = r.nv();
    Numbers M(n * n);
    MassMatrix<double> mass(r.canonical());
    mass(s.q.data(), M.data());
    double twice = 0;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) twice += s.v[i] * M[i * n + k] * s.v[k];
    Energy<double> energy(r.canonical());
    const EnergyAnswer<double> e = energy(s.q.data(), s.v.data());
    ASSERT_NEAR(2 * e.kinetic, twice, 1e-11 * twice) << r.name();
  }
}

TEST_F(Dynamics, CentreOfMassVelocityIsItsRate) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r);
    Energy<double> energy(r.canonical());
    const double h = 1e-6;
    const auto e = energy(s.q.data(), s.v.data()),
               ahead = energy(moved(r, s.q, s.v, h).data(), s.v.data()),
               behind = energy(moved(r, s.q, s.v, -h).data(), s.v.data());
    const Vec3<double> rate = (1 / (2 * h)) * (ahead.centre - behind.centre);
    ASSERT_LT(norm(rate - e.centre_velocity), 1e-7 * (1 + norm(rate))) << r.name();
  }
}

// A robot that floats without gravity keeps its momentum: what no torque can change.
TEST_F(Dynamics, InternalTorquesChangeNoMomentum) {
  const Robot r = Robot::load("humanoid", {.floating = false}).with_gravity({0, 0, 0});
  const RandomState s = state(r);
  Numbers tau = s.a, a(r.nv());
  for (int k = 0; k < 6; ++k) tau[k] = 0;
  ArticulatedBody<double> forward(r.canonical());
  forward.acceleration(s.q.data(), s.v.data(), tau.data(), a.data());
  Energy<double> energy(r.canonical());
  auto at = [&](double t) {
    Numbers v(s.v), half(s.v);
    for (std::size_t k = 0; k < v.size(); ++k) {
      v[k] += t * a[k];
      half[k] += t / 2 * a[k];
    }
    return energy(moved(r, s.q, half, t).data(), v.data());
  };
  const double h = 1e-5;
  const auto ahead = at(h), behind = at(-h);
  const double scale = norm(ahead.linear_momentum) + norm(ahead.angular_momentum);
  EXPECT_LT(norm(ahead.linear_momentum - behind.linear_momentum) / (2 * h), 1e-6 * scale);
  EXPECT_LT(norm(ahead.angular_momentum - behind.angular_momentum) / (2 * h), 1e-6 * scale);
}

Numbers parameters(const CanonicalModel& c, const std::vector<Moments<double>>& body) {
  Numbers p;
  for (int i = 1; i <= c.topology.n; ++i)
    for (int k = 0; k < 10; ++k) p.push_back(parameter(body[i], k));
  return p;
}

TEST_F(Dynamics, RegressorTimesParametersIsTorque) {
  for (const Robot& r : robots()) {
    const CanonicalModel& c = r.canonical();
    const RandomState s = state(r);
    Regressor<double> regressor(c);
    Numbers Y(r.nv() * regressor.columns()), tau(r.nv(), 0.0);
    regressor(s.q.data(), s.v.data(), s.a.data(), Y.data());
    auto check = [&](const Numbers& p, const std::string& what) {
      Numbers sum(r.nv(), 0.0);
      for (int i = 0; i < r.nv(); ++i)
        for (int k = 0; k < regressor.columns(); ++k)
          sum[i] += Y[i * regressor.columns() + k] * p[k];
      for (const Freedom& f : c.freedom)
        sum[f.column] += f.scale * f.scale * f.rotor_inertia * s.a[f.column];
      expect_near(sum, torque(r, s.q, s.v, s.a), 1e-10, r.name() + what);
    };
    std::vector<Moments<double>> body(c.topology.n + 1);
    for (int i = 1; i <= c.topology.n; ++i)
      for (int k = 0; k < 10; ++k) set_parameter(body[i], k, c.mechanism.body[i][k]);
    check(parameters(c, body), "");
    check(parameters(c, base_parameters(c).body), ", base parameters");
    check(parameters(c, regrouped(c).body), ", regrouped");
  }
}

TEST_F(Dynamics, BaseParametersAreAsManyAsTheRegressorHasIndependentColumns) {
  for (const Robot& r : robots())
    if (!r.canonical().has_mimic) {
      const Regrouped b = base_parameters(r.canonical());
      ASSERT_EQ(b.count(), regressor_rank(r.canonical())) << r.name();
    }
  EXPECT_EQ(base_parameters(Robot::load("puma560").canonical()).count(), 36);
  EXPECT_EQ(base_parameters(Robot::load("stanford").canonical()).count(), 33);
}

TEST_F(Dynamics, DifferenceUndoesIntegrate) {
  for (const Robot& r : robots()) {
    const RandomState s = state(r), t = state(r);
    Numbers v(r.nv()), back(s.q.size());
    difference(r.description(), s.q.data(), t.q.data(), v.data());
    integrate(r.description(), s.q.data(), v.data(), back.data());
    Numbers off(r.nv());
    difference(r.description(), t.q.data(), back.data(), off.data());
    ASSERT_LT(largest(off), 1e-12) << r.name();
    for (const double small : {1e-2, 1e-3, 1e-5, 1e-8, 0.0}) {  // across the series
      Numbers step(s.v), found(r.nv());
      for (double& x : step) x *= small;
      integrate(r.description(), s.q.data(), step.data(), back.data());
      difference(r.description(), s.q.data(), back.data(), found.data());
      for (int k = 0; k < r.nv(); ++k) ASSERT_NEAR(found[k], step[k], 2e-15 + 1e-13 * small);
    }
  }
}

}  // namespace
}  // namespace parid::test
