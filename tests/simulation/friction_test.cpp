// Forward dynamics with friction: does it undo inverse dynamics with friction, and do joints stick
// and slip as they should?

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "parid/dynamics.hpp"
#include "parid/forward_friction.hpp"
#include "parid/simulation.hpp"
#include "simulation/integrator.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/simulation/pendulum.hpp"

namespace parid::test {
namespace {

// Everything at once: dry, viscous, by load, and drives that lose much.
void add_friction(Rng& rng, Description& d) {
  for (JointDescription& j : d.joints) {
    if (velocity_count(j.type) != 1) continue;
    j.damping = uniform(rng, 0, 1);
    j.friction = uniform(rng, 0, 1);
    j.stribeck = Stribeck{j.friction + uniform(rng, 0, 1), 0.1};
    j.thrust = ThrustBearing{0.1, uniform(rng, 0.01, 0.05)};
    if (j.type == JointType::prismatic)
      j.linear = LinearBearing{uniform(rng, 0, 0.1), 0.3, 0.1};
    else
      j.journal = JournalBearing{0.1, uniform(rng, 0.01, 0.05), 0.2, 0.05};
    j.drive =
        Drive{uniform(rng, 0, 0.5), 20, {{0.1, 0.35}, {0.5, 0.6}, {1, 0.8}}, Interpolation::linear};
  }
}

TEST(ForwardFriction, UndoesInverseDynamicsWithFriction) {
  Rng rng(11);
  for (int round = 0; round < 60; ++round) {
    RandomRobot kind;
    kind.prismatic = 0.4;
    kind.spherical = round % 3 == 0 ? 0.5 : 0;
    kind.floating_base = round % 5 == 0;
    Description d = random_tree(rng, 1 + round % 7, kind);
    add_friction(rng, d);
    const Robot robot(d);
    Workspace workspace(robot);
    const RandomState s = random_state(rng, d);
    std::vector<double> tau(robot.nv()), a(robot.nv());
    inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, tau);
    ForwardFriction forward(robot);
    ASSERT_TRUE(forward.settle(s.q, s.v, tau, a)) << round;
    for (int k = 0; k < robot.nv(); ++k) EXPECT_NEAR(a[k], s.a[k], 1e-8) << round;
    EXPECT_LT(forward.most_steps(), 20);
  }
}

// With all joints at rest the states that settle() finds must be consistent for any torques: joints
// that stick need no more friction than they have, joints that slip move in their direction and
// obey the law of sliding.
TEST(ForwardFriction, JointsAtRestSettle) {
  Rng rng(12);
  int stuck = 0, slipping = 0;
  for (int round = 0; round < 200; ++round) {
    Description d = random_tree(rng, 1 + round % 7);
    add_friction(rng, d);
    const Robot robot(d);
    Workspace workspace(robot);
    const RandomState s = random_state(rng, d);
    const std::size_t n = robot.nv();
    std::vector<double> tau(n), a(n), v(n), total(n), other(n);
    gravity(robot, workspace, s.q, tau);
    for (double& x : tau) x += uniform(rng, -15, 15);
    ForwardFriction forward(robot);
    ASSERT_TRUE(forward.settle(s.q, v, tau, a)) << round;
    const std::vector<int>& way = forward.ways();
    auto torques = [&](double where_stuck, std::vector<double>& out) {
      for (std::size_t k = 0; k < n; ++k) v[k] = 1e-9 * (way[k] != 0 ? way[k] : where_stuck);
      inverse_dynamics_with_friction(robot, workspace, s.q, v, a, out);
    };
    torques(1, total);
    torques(-1, other);
    for (std::size_t k = 0; k < n; ++k) {
      if (way[k] == 0) {
        ++stuck;
        EXPECT_EQ(a[k], 0);
        EXPECT_LE(tau[k], total[k] + 1e-6);
        EXPECT_GE(tau[k], other[k] - 1e-6);
      } else {
        ++slipping;
        EXPECT_GT(way[k] * a[k], 0);
        EXPECT_NEAR(total[k], tau[k], 1e-6);
      }
    }
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slipping, 100);
}

Robot dry_pendulum(double coulomb, double breakaway = 0) {
  Description d = pendulum_chain(1);
  d.joints[0].friction = coulomb;
  if (breakaway > 0) d.joints[0].stribeck = Stribeck{breakaway, 0.05};
  return Robot(d);
}

// Lying along x a rod takes m g l = 4.905 N m to hold.
TEST(Simulation, BelowBreakawayAJointStaysExactlyStill) {
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(dry_pendulum(1, 5), {.integrator = method.id, .time = 2, .friction = true});
    s.set_state(std::vector{0.0}, std::vector{0.0});
    const SimulationResult r = s.run();
    EXPECT_EQ(r.end, SimulationEnd::finished);
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      ASSERT_EQ(r.motion.q[i], 0) << method.id;
      ASSERT_EQ(r.motion.v[i], 0) << method.id;
    }
    EXPECT_EQ(r.events, 0);
  }
}

TEST(Simulation, AboveBreakawayItIsTornLooseThen) {
  // The torque grows by 1 N m/s from nothing; gravity pulls with 4.905, break-away is 6 N m: it
  // holds until the torque down is 1.095, after 1.095 s.
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(dry_pendulum(1, 6),
                 {.integrator = method.id, .time = 1.2, .rate = 1000, .friction = true});
    s.set_state(std::vector{0.0}, std::vector{0.0});
    const SimulationResult r = s.run(*open_loop({{0, 2}, {0, -2}}));
    ASSERT_EQ(r.end, SimulationEnd::finished) << r.why;
    EXPECT_EQ(r.events, 1) << method.id;
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      if (std::abs(r.motion.t[i] - 1.095) < 1e-6) continue;
      ASSERT_EQ(r.motion.q[i]<0, r.motion.t[i]> 1.095) << method.id << " " << r.motion.t[i];
    }
  }
}

// Without gravity a rod of I = 1/3 that turns with v0 against friction c stops after v0 I / c, half
// that time times v0 further, and stays.
TEST(Simulation, DryFrictionBringsAJointToRest) {
  const Robot robot = dry_pendulum(0.5).with_gravity({0, 0, 0});
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 5, .friction = true});
    s.set_state(std::vector{0.3}, std::vector{3.0});
    const SimulationResult r = s.run();
    EXPECT_LE(r.events, 1) << method.id;  // none where a step ends there by itself
    EXPECT_EQ(r.motion.v.back(), 0) << method.id;
    EXPECT_NEAR(r.motion.q.back(), 0.3 + 3.0 / 2 * (3.0 / 3 / 0.5), 1e-9) << method.id;
    for (std::size_t i = 0; i < r.motion.rows; ++i)
      ASSERT_TRUE(r.motion.t[i] < 2 + 1e-9 || r.motion.q[i] == r.motion.q.back());
    EXPECT_NEAR(r.losses.back(), 0.5 / 3 * 9, 1e-9);  // all of ½ I v²
    EXPECT_LT(r.relative_energy_drift, 1e-9) << method.id;
  }
}

// A swinging pendulum with dry friction loses the same height at every turn and comes to rest, not
// necessarily hanging down; each reversal is an event, and none is repeated (no chattering).
TEST(Simulation, SwingingJointComesToRestAndStays) {
  const Robot robot = dry_pendulum(0.2, 0.3);
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 30, .friction = true});
    s.set_state(std::vector{-std::numbers::pi / 2 + 1}, std::vector{0.0});
    const SimulationResult r = s.run();
    ASSERT_EQ(r.end, SimulationEnd::finished) << r.why;
    std::size_t last = 0;
    int turns = 0;
    for (std::size_t i = 1; i < r.motion.rows; ++i) {
      turns += r.motion.v[i] * r.motion.v[i - 1] < 0;
      if (r.motion.v[i] != 0) last = i;
    }
    EXPECT_LT(r.motion.t[last], 28) << method.id;
    EXPECT_EQ(r.motion.q.back(), r.motion.q[(last + 1)]);
    EXPECT_GT(turns, 5);
    EXPECT_LE(r.events, turns + 2) << method.id;
    EXPECT_LT(r.relative_energy_drift, method.order == 2 ? 1e-4 : 1e-7) << method.id;
  }
}

// Stick-slip: a slider on a belt's spring (here: a joint pulled by a control law that is a spring
// whose other end moves) sticks, breaks away, sticks again.
TEST(Simulation, StickSlip) {
  const Robot robot = dry_pendulum(0.5, 1.5).with_gravity({0, 0, 0});
  Simulation s(robot, {.time = 20, .rate = 200, .friction = true});
  s.set_state(std::vector{0.0}, std::vector{0.0});
  const auto spring =
      continuous_control([](double t, std::span<const double> q, std::span<const double>,
                            std::span<double> tau) { tau[0] = 4 * (0.2 * t - q[0]); });
  const SimulationResult r = s.run(*spring);
  ASSERT_EQ(r.end, SimulationEnd::finished) << r.why;
  int slips = 0, rows_at_rest = 0;
  for (std::size_t i = 1; i < r.motion.rows; ++i) {
    slips += r.motion.v[i - 1] == 0 && r.motion.v[i] != 0;
    rows_at_rest += r.motion.v[i] == 0;
  }
  EXPECT_GE(slips, 5);
  EXPECT_GT(rows_at_rest, 1000);
  EXPECT_EQ(r.events, 2 * slips - (r.motion.v.back() != 0));  // loose and at rest again, no more
  EXPECT_LT(r.relative_energy_drift, 1e-8);
  // First breaks away where 4 · 0.2 t = 1.5.
  for (std::size_t i = 0; i < r.motion.rows && r.motion.t[i] < 1.875 - 1e-6; ++i)
    ASSERT_EQ(r.motion.q[i], 0);
}

// A robot with every kind of friction falls, and energy is accounted for.
TEST(Simulation, FrictionOfEveryKindLosesWhatIsLost) {
  Rng rng(13);
  Description d = random_chain(rng, 4);
  add_friction(rng, d);
  const Robot robot(d);
  const RandomState s0 = random_state(rng, d);
  Simulation s(robot, {.time = 3, .friction = true, .stop_at = StopAt::nothing});
  s.set_state(s0.q, s0.v);
  const SimulationResult r = s.run();
  ASSERT_EQ(r.end, SimulationEnd::finished) << r.why;
  EXPECT_LT(r.relative_energy_drift, 1e-7);
  EXPECT_GT(r.losses.back(), 1);
  for (std::size_t i = 1; i < r.motion.rows; ++i) ASSERT_GE(r.losses[i], r.losses[i - 1] - 1e-9);
}

}  // namespace
}  // namespace parid::test
