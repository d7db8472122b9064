// Do integrators have the order they claim, on every kind of joint, and do they keep what mechanics
// keeps?

#include "simulation/integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "parid/error.hpp"
#include "parid/simulation.hpp"
#include "peers/peer.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/simulation/pendulum.hpp"

namespace parid::test {
namespace {

SimulationResult run(const Robot& robot, SimulationOptions o, const std::vector<double>& q,
                     const std::vector<double>& v) {
  o.stop_at = StopAt::nothing;
  Simulation s(robot, o);
  s.set_state(q, v);
  return s.run();
}

// At the end.
double distance(const Robot& robot, const SimulationResult& a, const SimulationResult& b) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  std::vector<double> d(nv);
  difference(robot, std::span(a.motion.q).last(nq), std::span(b.motion.q).last(nq), d);
  double worst = 0;
  for (std::size_t k = 0; k < nv; ++k)
    worst = std::max({worst, std::abs(d[k]),
                      std::abs(a.motion.v[a.motion.v.size() - nv + k] -
                               b.motion.v[b.motion.v.size() - nv + k])});
  return worst;
}

// With revolute joints only, and on a floating base with spherical joints.
Description some_robot(Rng& rng, bool free) {
  RandomRobot kind;
  kind.spherical = free ? 1 : 0;
  kind.floating_base = free;
  return random_tree(rng, 4, kind);
}

TEST(Integrators, FiveLinkPendulumKeepsItsEnergy) {
  const Robot robot(pendulum_chain(5));
  const SimulationResult r =
      run(robot, {.integrator = "dopri5", .time = 10}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0});
  EXPECT_EQ(r.end, SimulationEnd::finished);
  EXPECT_EQ(r.motion.rows, 1001u);
  EXPECT_LE(r.relative_energy_drift, 1e-9);
  EXPECT_GT(r.relative_energy_drift, 0);                                 // it was measured
  EXPECT_GT(*std::max_element(r.kinetic.begin(), r.kinetic.end()), 50);  // and it swung
}

TEST(Integrators, FixedStepsHaveTheirOrder) {
  Rng rng(7);
  for (const bool free : {false, true}) {
    const Description d = some_robot(rng, free);
    const Robot robot(d);
    const RandomState s = random_state(rng, d);
    const SimulationResult exact =
        run(robot, {.time = 0.5, .rate = 2, .tolerance = 1e-13}, s.q, s.v);
    for (const IntegratorEntry& method : integrators()) {
      if (method.adaptive) continue;
      std::vector<double> off;
      for (const double step : {0.5 / 128, 0.5 / 256})
        off.push_back(distance(
            robot,
            run(robot, {.integrator = method.id, .time = 0.5, .rate = 2, .step = step}, s.q, s.v),
            exact));
      EXPECT_NEAR(std::log2(off[0] / off[1]), method.order, 0.2)
          << method.id << (free ? " free" : "");
    }
  }
}

// The step of an adaptive method is left to it, so its error is held against the tolerance: with
// steps of order 5 a hundredth of the tolerance takes 100^(1/5) = 2.5 times the steps.
TEST(Integrators, DormandPrinceFollowsItsTolerance) {
  Rng rng(8);
  for (const bool free : {false, true}) {
    const Description d = some_robot(rng, free);
    const Robot robot(d);
    const RandomState s = random_state(rng, d);
    const SimulationResult exact =
        run(robot, {.time = 0.5, .rate = 2, .tolerance = 1e-13}, s.q, s.v);
    const SimulationResult rough =
                               run(robot, {.time = 0.5, .rate = 2, .tolerance = 1e-7}, s.q, s.v),
                           fine = run(robot, {.time = 0.5, .rate = 2, .tolerance = 1e-9}, s.q, s.v);
    EXPECT_LT(distance(robot, rough, exact), 1e-4);
    EXPECT_LT(distance(robot, fine, exact), 0.1 * distance(robot, rough, exact));
    EXPECT_NEAR(static_cast<double>(fine.steps) / static_cast<double>(rough.steps), 2.5, 0.6);
  }
}

// Values between the ends of steps are as accurate as at the ends.
TEST(Integrators, SamplesWithinStepsAreExact) {
  const Robot robot(pendulum_chain(2));
  const SimulationResult often = run(robot, {.time = 1, .rate = 1000, .tolerance = 1e-8}, {0, 0},
                                     {0, 0}),
                         exact = run(robot,
                                     {.integrator = "rk4", .time = 1, .rate = 1000, .step = 1e-4},
                                     {0, 0}, {0, 0});
  EXPECT_LT(often.steps, 300);  // so most samples lie within
  double worst = 0;
  for (std::size_t i = 0; i < often.motion.q.size(); ++i)
    worst = std::max({worst, std::abs(often.motion.q[i] - exact.motion.q[i]),
                      std::abs(often.motion.v[i] - exact.motion.v[i])});
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(worst, 0);
}

// A rod about its end: I = 1/3, swinging from A about hanging down has the period
// 4 K(sin A/2) √(I / (m g l)), K by the arithmetic-geometric mean.
TEST(Integrators, PendulumHasItsPeriod) {
  const Robot robot(pendulum_chain(1));
  const double A = 2, hanging = -std::numbers::pi / 2;
  double a = 1, g = std::cos(A / 2);
  for (int i = 0; i < 10; ++i) {
    const double next = (a + g) / 2;
    g = std::sqrt(a * g);
    a = next;
  }
  const double period = 2 * std::numbers::pi / a * std::sqrt(1. / 3 / (9.81 * 0.5));
  for (const IntegratorEntry& method : integrators()) {
    const SimulationResult r =
        run(robot, {.integrator = method.id, .time = period, .rate = 10, .step = period / 10000},
            {hanging + A}, {0});
    const double near = method.order == 2 ? 1e-6 : 1e-8;
    EXPECT_NEAR(r.motion.t.back(), period, 1e-12);
    EXPECT_NEAR(r.motion.q.back(), hanging + A, near) << method.id;
    EXPECT_NEAR(r.motion.v.back(), 0, 10 * near) << method.id;
  }
}

TEST(Integrators, SymplecticEnergyStaysInABand) {
  const Robot robot(pendulum_chain(2));
  auto energy_range = [&](const char* id, double from, double to) {
    const SimulationResult r =
        run(robot, {.integrator = id, .time = to, .rate = 50, .step = 0.02}, {-1, 0.3}, {0, 0});
    double worst = 0;
    for (std::size_t i = 0; i < r.motion.rows; ++i)
      if (r.motion.t[i] >= from)
        worst = std::max(worst,
                         std::abs(r.kinetic[i] + r.potential[i] - r.kinetic[0] - r.potential[0]));
    return worst;
  };
  const double early = energy_range("symplectic", 0, 20),
               late = energy_range("symplectic", 180, 200);
  EXPECT_LT(late, 1.5 * early);
  // A method that is not symplectic drifts, though of twice the order.
  EXPECT_GT(energy_range("rk4", 180, 200), 3 * energy_range("rk4", 0, 20));
}

double about_origin(const EnergyState& e, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  return e.angular_momentum[k] + e.centre[i] * e.linear_momentum[j] -
         e.centre[j] * e.linear_momentum[i];
}

// A lone body without gravity: linear and angular momentum stay in space, and so does energy.
TEST(Integrators, FreeBodyKeepsItsMomentum) {
  Rng rng(9);
  RandomRobot kind;
  kind.floating_base = true;
  Description d = random_chain(rng, 1, kind);
  d.gravity = {};
  const Robot robot(d);
  Workspace workspace(robot);
  const RandomState s = random_state(rng, d);
  const EnergyState before = energy(robot, workspace, s.q, s.v);
  for (const IntegratorEntry& method : integrators()) {
    const SimulationResult r =
        run(robot, {.integrator = method.id, .time = 5, .rate = 10, .step = 1e-3}, s.q, s.v);
    const EnergyState after =
        energy(robot, workspace, std::span(r.motion.q).last(7), std::span(r.motion.v).last(6));
    // The midpoint rule conserves momenta to rounding, for any step; the others to their error.
    const double near = method.order == 2 ? 1e-11 : 1e-7;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.linear_momentum[k], before.linear_momentum[k], near) << method.id;
      EXPECT_NEAR(about_origin(after, k), about_origin(before, k), near) << method.id;
      // The centre goes straight.
      EXPECT_NEAR(after.centre[k], before.centre[k] + 5 * before.centre_velocity[k],
                  method.order == 2 ? 1e-4 : 1e-7)
          << method.id;
    }
    EXPECT_LT(r.relative_energy_drift, method.order == 2 ? 1e-4 : 1e-8) << method.id;
  }
}

// MuJoCo's accelerations, moved forward by a Runge-Kutta method that is written here.
TEST(Integrators, FreeSwingAgreesWithMujoco) {
  const Description d = pendulum_chain(3);
  std::unique_ptr<peers::Peer> peer;
  try {
    peer = peers::mujoco(d);
  } catch (const std::runtime_error& e) {
    GTEST_SKIP() << e.what();
  }
  std::array<double, 6> y{0.2, -0.4, 0.9, 0, 1, 0};
  const SimulationResult r =
      run(Robot(d), {.time = 1}, {y.begin(), y.begin() + 3}, {y.begin() + 3, y.end()});
  const double h = 1e-3, none[3] = {};
  auto rate = [&](const std::array<double, 6>& x) {
    std::array<double, 6> dx{x[3], x[4], x[5]};
    peer->forward_dynamics(x.data(), x.data() + 3, none, dx.data() + 3);
    return dx;
  };
  auto along = [](std::array<double, 6> x, double s, const std::array<double, 6>& dx) {
    for (int i = 0; i < 6; ++i) x[i] += s * dx[i];
    return x;
  };
  for (int i = 0; i < 1000; ++i) {
    const auto a = rate(y), b = rate(along(y, h / 2, a)), c = rate(along(y, h / 2, b)),
               e = rate(along(y, h, c));
    for (int k = 0; k < 6; ++k) y[k] += h / 6 * (a[k] + 2 * (b[k] + c[k]) + e[k]);
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(r.motion.q[r.motion.q.size() - 3 + k], y[k], 1e-7);
    EXPECT_NEAR(r.motion.v[r.motion.v.size() - 3 + k], y[3 + k], 1e-6);
  }
}

TEST(Integrators, AnUnknownOneIsRefused) {
  try {
    integrator("dopri");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'dopri5'?"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace parid::test
