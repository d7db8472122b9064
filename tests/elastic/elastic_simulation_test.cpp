// Simulations with elastic joints: energy, the explicit mechanism, and the motion that inverse
// dynamics had.

#include <gtest/gtest.h>

#include <cmath>

#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"
#include "parid/error.hpp"
#include "parid/simulation.hpp"
#include "tests/elastic/elastic_robots.hpp"
#include "tests/simulation/pendulum.hpp"

namespace parid::test {
namespace {

SimulationOptions options(const char* integrator, double time) {
  SimulationOptions o;
  o.integrator = integrator;
  o.time = time;
  o.elastic = true;
  o.stop_at = StopAt::nothing;
  return o;
}

Robot elastic_pendulum(double stiffness, double damping) {
  Description d = pendulum_chain(2);
  for (JointDescription& j : d.joints) {
    j.rotor_inertia = 0.4;
    j.elastic = Elasticity{stiffness, damping};
  }
  return Robot(d);
}

TEST(ElasticSimulation, EnergyIsConservedWithoutDamping) {
  for (const char* integrator : {"dopri5", "rk4", "symplectic"}) {
    SimulationOptions o = options(integrator, 2);
    o.step = 1e-4;
    Simulation s(elastic_pendulum(300, 0), o);
    s.set_state(std::vector{0.3, -0.2}, std::vector{0.5, 0.0});
    const SimulationResult r = s.run();
    EXPECT_EQ(r.end, SimulationEnd::finished);
    EXPECT_LT(r.relative_energy_drift, integrator == std::string("symplectic") ? 1e-4 : 1e-7)
        << integrator;
    EXPECT_EQ(r.theta.size(), 2 * r.motion.rows);
    EXPECT_EQ(r.losses.back(), 0);
    double apart = 0;  // motors and links did move apart
    for (std::size_t k = 0; k < r.theta.size(); ++k)
      apart = std::max(apart, std::abs(r.theta[k] - r.motion.q[k]));
    EXPECT_GT(apart, 1e-3);
  }
}

TEST(ElasticSimulation, DampingTakesTheEnergyThatIsLost) {
  for (const char* integrator : {"dopri5", "symplectic"}) {
    SimulationOptions o = options(integrator, 2);
    o.step = 1e-4;
    Simulation s(elastic_pendulum(300, 2), o);
    s.set_state(std::vector{0.3, -0.2}, std::vector{0.0, 0.0});
    s.set_motor_state(std::vector{0.4, -0.2}, std::vector{0.0, 0.0});
    const SimulationResult r = s.run();
    EXPECT_GT(r.losses.back(), 0.5);
    EXPECT_LT(r.relative_energy_drift, 1e-4) << integrator;
  }
}

// Springs of a period far shorter than the step: the implicit midpoint rule follows the rigid
// robot.
TEST(ElasticSimulation, SymplecticStepsMayExceedThePeriodOfTheSprings) {
  const Robot stiff = elastic_pendulum(1e9, 0);
  SimulationOptions o = options("symplectic", 1);
  o.step = 1e-3;
  EXPECT_GT(ElasticDynamics(stiff).frequencies(std::vector{0.3, -0.2}).back() * o.step, 40);
  Simulation elastic(stiff, o);
  elastic.set_state(std::vector{0.3, -0.2}, std::vector{0.0, 0.0});
  const SimulationResult r = elastic.run();
  ASSERT_EQ(r.end, SimulationEnd::finished);
  o.elastic = false;
  Simulation rigid(stiff, o);
  rigid.set_state(std::vector{0.3, -0.2}, std::vector{0.0, 0.0});
  EXPECT_LT(largest_difference(r.motion.q, rigid.run().motion.q), 1e-4);
  SimulationOptions explicit_steps = options("rk4", 1);
  Simulation refused(stiff, explicit_steps);
  EXPECT_THROW(refused.run(), Error);
}

// A law of spring torques on a mechanism that this test builds.
TEST(ElasticSimulation, MotionIsThatOfTheExplicitMechanism) {
  const Robot robot = elastic_tree(), mechanism = explicit_mechanism(robot);
  const std::vector<ElasticJoint> joints = robot.elastic_joints();
  const std::size_t n = robot.nv(), m = joints.size();
  auto law = [&](double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> tau) {  // of the robot: a wave on every joint
    (void)q;
    for (std::size_t k = 0; k < tau.size(); ++k)
      tau[k] = 8 * std::sin(5 * t + static_cast<double>(k)) - 0.2 * v[k];
  };
  auto springs = [&](double t, std::span<const double> q, std::span<const double> v,
                     std::span<double> tau) {
    std::vector<double> read_q(q.begin(), q.begin() + 3), read_v(v.begin(), v.begin() + 3),
        applied(n);
    for (std::size_t e = 0; e < m; ++e) {
      read_q[joints[e].position] = q[n + e];
      read_v[joints[e].velocity] = v[n + e];
    }
    law(t, read_q, read_v, applied);
    for (std::size_t k = 0; k < n; ++k) tau[k] = applied[k];
    for (std::size_t e = 0; e < m; ++e) {
      const std::size_t k = joints[e].velocity;
      const double spring =
          joints[e].stiffness * (q[n + e] - q[k]) + joints[e].damping * (v[n + e] - v[k]);
      tau[n + e] = applied[k] - spring;
      tau[k] = spring;
    }
  };
  const std::vector<double> q{0.2, -0.4, 0.1}, v{0.1, 0.2, -0.1}, theta{-0.38, 0.101},
      theta_v{0.25, -0.1};
  Simulation elastic(robot, options("dopri5", 0.5));
  elastic.set_state(q, v);
  elastic.set_motor_state(theta, theta_v);
  const SimulationResult a = elastic.run(*continuous_control(law));
  SimulationOptions plain = options("dopri5", 0.5);
  plain.elastic = false;
  Simulation brute(mechanism, plain);
  std::vector<double> Q = q, V = v;
  Q.insert(Q.end(), theta.begin(), theta.end());
  V.insert(V.end(), theta_v.begin(), theta_v.end());
  brute.set_state(Q, V);
  const SimulationResult b = brute.run(*continuous_control(springs));
  ASSERT_EQ(a.motion.rows, b.motion.rows);
  double off = 0;
  for (std::size_t r = 0; r < a.motion.rows; ++r) {
    for (std::size_t k = 0; k < n; ++k)
      off = std::max(off, std::abs(a.motion.q[r * n + k] - b.motion.q[r * (n + m) + k]));
    for (std::size_t e = 0; e < m; ++e)
      off = std::max(off, std::abs(a.theta[r * m + e] - b.motion.q[r * (n + m) + n + e]));
  }
  EXPECT_LT(off, 1e-8);
  EXPECT_LT(a.energy_drift, 1e-6);
  EXPECT_GT(std::abs(a.work.back()), 1e-2);
}

// Torques of a motion, applied to the motors, make the links follow that motion.
TEST(ElasticSimulation, TorquesOfInverseDynamicsMakeTheMotion) {
  const Robot robot = elastic_tree();
  ElasticDynamics elastic(robot);
  const std::size_t n = robot.nv(), m = elastic.joints().size(), rows = 2001;
  const double time = 0.5;
  std::vector<double> t, q, v, a, jerk, snap;
  for (std::size_t r = 0; r < rows; ++r) {
    const double s = time * static_cast<double>(r) / static_cast<double>(rows - 1);
    t.push_back(s);
    for (std::size_t k = 0; k < n; ++k) {
      const double w = 3 + static_cast<double>(k), A = 0.3;
      q.push_back(A * std::sin(w * s));
      v.push_back(A * w * std::cos(w * s));
      a.push_back(-A * w * w * std::sin(w * s));
      jerk.push_back(-A * w * w * w * std::cos(w * s));
      snap.push_back(A * w * w * w * w * std::sin(w * s));
    }
  }
  std::vector<double> tau(rows * n), theta(rows * m), theta_v(rows * m);
  elastic.along(t, q, v, a, jerk, snap, tau, {theta, theta_v, {}});
  Simulation s(robot, options("dopri5", time));
  s.set_state(std::span(q).first(n), std::span(v).first(n));
  s.set_motor_state(std::span(theta).first(m), std::span(theta_v).first(m));
  const SimulationResult r = s.run(*open_loop({t, tau}));
  ASSERT_EQ(r.end, SimulationEnd::finished);
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(r.motion.q[r.motion.q.size() - n + k], q[q.size() - n + k], 2e-6);
  for (std::size_t e = 0; e < m; ++e)
    EXPECT_NEAR(r.theta[r.theta.size() - m + e], theta[theta.size() - m + e], 2e-6);
}

// A drive that breaks away at 5 N m holds its motor while the link swings against the spring, with
// the frequency √(K/J); a drive that loses a share of the spring's torque holds it likewise.
TEST(ElasticSimulation, MotorsStickInTheirDrives) {
  for (const bool by_load : {false, true}) {
    Description d = one_link(0.5, 0.2, 200, 0);
    Drive drive;
    drive.breakaway = by_load ? 0 : 5;
    if (by_load) drive.efficiency = {{0, 0.4}};
    d.joints[0].drive = drive;
    SimulationOptions o = options("dopri5", 1);
    o.friction = true;
    Simulation s(Robot(d), o);
    s.set_state(std::vector{0.02}, std::vector{0.0});
    s.set_motor_state(std::vector{0.0}, std::vector{0.0});
    const SimulationResult r = s.run();
    ASSERT_EQ(r.end, SimulationEnd::finished) << r.why;
    const double w = std::sqrt(200 / 0.5);
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      if (by_load) break;
      EXPECT_EQ(r.theta[i], 0);
      EXPECT_NEAR(r.motion.q[i], 0.02 * std::cos(w * r.motion.t[i]), 1e-7);
    }
    // With η = 0.4 the loss at rest is at least 0.6 |τ_s|, less than τ_s: the motor yields, and the
    // losses are those of the drive.
    if (by_load) {
      EXPECT_GT(std::abs(r.theta.back()), 1e-4);
      EXPECT_GT(r.losses.back(), 1e-3);
    }
    EXPECT_LT(r.energy_drift, 1e-8);
  }
}

TEST(ElasticSimulation, OptionsThatCannotHoldAreRefused) {
  const Robot rigid = elastic_tree().without_elasticity();
  EXPECT_THROW(Simulation(rigid, options("dopri5", 1)), Error);
  SimulationOptions o = options("dopri5", 1);
  o.elastic = false;
  Simulation s(elastic_tree(), o);
  EXPECT_THROW(s.set_motor_state(std::vector{0.0, 0.0}, std::vector{0.0, 0.0}), Error);
  o.measure_links = true;
  EXPECT_THROW(Simulation(elastic_tree(), o), Error);
}

}  // namespace
}  // namespace parid::test
