// Elastic joints against a mechanism in which every motor is a body of its own, against formulas of
// one link, and against each other: inverse dynamics then forward dynamics.

#include "parid/elastic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "tests/elastic/elastic_robots.hpp"

namespace parid::test {
namespace {

struct Motion {
  std::vector<double> q, v, a, jerk, snap;
};
std::vector<double> random_rates(Rng& rng, int n) {
  std::vector<double> x;
  for (int k = 0; k < n; ++k) x.push_back(uniform(rng, -2, 2));
  return x;
}
Motion random_motion(Rng& rng, const Robot& robot) {
  const RandomState s = random_state(rng, robot.description());
  return {s.q, s.v, s.a, random_rates(rng, robot.nv()), random_rates(rng, robot.nv())};
}

std::vector<Robot> some_robots(double stiffness, double damping) {
  Rng rng(7);
  std::vector<Robot> all;
  RandomRobot kind;
  kind.prismatic = 0.5;
  kind.tips = true;
  for (int k = 0; k < 6; ++k)
    all.push_back(random_elastic(rng, random_tree(rng, 6, kind), stiffness, damping));
  kind.floating_base = true;
  kind.spherical = 0.4;
  kind.planar = 0.2;
  for (int k = 0; k < 4; ++k)
    all.push_back(random_elastic(rng, random_tree(rng, 8, kind), stiffness, damping));
  all.push_back(elastic_tree());
  return all;
}

TEST(ElasticDynamics, ForwardDynamicsIsThatOfRotorsOnTheirOwnJoints) {
  Rng rng(3);
  for (const Robot& robot : some_robots(500, 3)) {
    ElasticDynamics elastic(robot);
    const auto& joints = elastic.joints();
    const std::size_t nq = robot.nq(), nv = robot.nv(), m = joints.size();
    ASSERT_GT(m, 0u);
    ASSERT_LT(m, nv);
    const Robot mechanism = explicit_mechanism(robot);
    ASSERT_EQ(static_cast<std::size_t>(mechanism.nv()), nv + m);
    Workspace workspace(mechanism);
    for (int sample = 0; sample < 3; ++sample) {
      const RandomState s = random_state(rng, robot.description());
      std::vector<double> theta, theta_v, tau = random_rates(rng, static_cast<int>(nv)), a(nv),
                                          theta_a(m), q = s.q, v = s.v, applied = tau, all(nv + m);
      for (const ElasticJoint& j : joints) {
        theta.push_back(s.q[j.position] + uniform(rng, -0.01, 0.01));
        theta_v.push_back(s.v[j.velocity] + uniform(rng, -0.2, 0.2));
        const double spring = j.stiffness * (theta.back() - s.q[j.position]) +
                              j.damping * (theta_v.back() - s.v[j.velocity]);
        applied.push_back(tau[j.velocity] - spring);
        applied[j.velocity] = spring;
      }
      q.insert(q.end(), theta.begin(), theta.end());
      v.insert(v.end(), theta_v.begin(), theta_v.end());
      forward_dynamics(mechanism, workspace, q, v, applied, all);
      elastic.forward(s.q, theta, s.v, theta_v, tau, a, theta_a);
      a.insert(a.end(), theta_a.begin(), theta_a.end());
      EXPECT_LT(largest_difference(a, all), 1e-11 * (1 + largest(all))) << robot.name();
      ASSERT_EQ(q.size(), nq + m);
    }
  }
}

// Positions after a time, with velocities that are polynomials of the time, by many short steps.
std::vector<double> moved(const Robot& robot, const Motion& m, double t) {
  constexpr int steps = 64;
  std::vector<double> q = m.q, next = q, step(m.v.size());
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const double s = (i + 0.5) * h;
    for (std::size_t k = 0; k < step.size(); ++k)
      step[k] = h * (m.v[k] + s * (m.a[k] + s * (m.jerk[k] / 2 + s * m.snap[k] / 6)));
    integrate(robot, q, step, next);
    q = next;
  }
  return q;
}

TEST(ElasticDynamics, RatesOfTorquesAreDifferencesAlongTheMotion) {
  Rng rng(11);
  for (const Robot& robot : some_robots(500, 3)) {
    ElasticDynamics elastic(robot);
    const std::size_t nv = robot.nv();
    const Motion m = random_motion(rng, robot);
    std::vector<double> tau(nv), rate(nv), rate2(nv);
    elastic.link_torques(m.q, m.v, m.a, m.jerk, m.snap, tau, rate, rate2);
    // The links' side by the library's construction has no rotors at elastic joints.
    Description d = robot.description();
    for (JointDescription& j : d.joints)
      if (j.elastic) j.rotor_inertia = 0;
    const Robot links(d);
    Workspace workspace(links);
    const double h = 2e-3;
    auto at = [&](double t) {
      std::vector<double> v(nv), a(nv), out(nv);
      for (std::size_t k = 0; k < nv; ++k) {
        v[k] = m.v[k] + t * (m.a[k] + t * (m.jerk[k] / 2 + t * m.snap[k] / 6));
        a[k] = m.a[k] + t * (m.jerk[k] + t * m.snap[k] / 2);
      }
      inverse_dynamics(links, workspace, moved(links, m, t), v, a, out);
      return out;
    };
    const auto far_back = at(-2 * h), back = at(-h), here = at(0), next = at(h), far = at(2 * h);
    const double scale = 1 + largest(rate), scale2 = 1 + largest(rate2);
    for (std::size_t k = 0; k < nv; ++k) {
      EXPECT_NEAR(tau[k], here[k], 1e-11 * (1 + largest(here)));
      EXPECT_NEAR(rate[k], (8 * (next[k] - back[k]) - (far[k] - far_back[k])) / (12 * h),
                  1e-6 * scale);
      EXPECT_NEAR(rate2[k],
                  (16 * (next[k] + back[k]) - (far[k] + far_back[k]) - 30 * here[k]) / (12 * h * h),
                  1e-5 * scale2)
          << robot.name();
    }
  }
}

TEST(ElasticDynamics, InverseThenForwardGivesTheMotion) {
  Rng rng(5);
  for (const Robot& robot : some_robots(500, 0)) {
    if (robot.name() == "two arms") continue;  // it has damping
    ElasticDynamics elastic(robot);
    const std::size_t nv = robot.nv(), n = elastic.joints().size();
    const Motion m = random_motion(rng, robot);
    std::vector<double> tau(nv), theta(n), theta_v(n), theta_a(n), a(nv), motor_a(n);
    elastic.inverse(m.q, m.v, m.a, m.jerk, m.snap, tau, {theta, theta_v, theta_a});
    elastic.forward(m.q, theta, m.v, theta_v, tau, a, motor_a);
    EXPECT_LT(largest_difference(a, m.a), 1e-9) << robot.name();
    EXPECT_LT(largest_difference(motor_a, theta_a), 1e-9 * (1 + largest(theta_a)));
  }
}

// Samples of q = A sin(w t + phase) for every coordinate.
struct Samples {
  std::vector<double> t, q, v, a, jerk, snap;
};
Samples waves(int n, double duration, int rows) {
  Samples s;
  for (int r = 0; r < rows; ++r) {
    const double t = duration * r / (rows - 1);
    s.t.push_back(t);
    for (int k = 0; k < n; ++k) {
      const double w = 3 + k, A = 0.4, x = std::sin(w * t + k), y = std::cos(w * t + k);
      s.q.push_back(A * x);
      s.v.push_back(A * w * y);
      s.a.push_back(-A * w * w * x);
      s.jerk.push_back(-A * w * w * w * y);
      s.snap.push_back(A * w * w * w * w * x);
    }
  }
  return s;
}

// With damping: forward dynamics at every sample must give the accelerations back. Time constants
// D/K are longer than, as long as and shorter than a step.
TEST(ElasticDynamics, AlongATrajectoryWithDampingForwardGivesTheMotion) {
  for (const double damping : {300.0, 20.0, 2.0, 0.05, 1e-7}) {
    Description d = elastic_tree().description();
    for (JointDescription& j : d.joints)
      if (j.elastic) j.elastic = Elasticity{2000, damping};
    const Robot robot(d);
    ElasticDynamics elastic(robot);
    const std::size_t nv = robot.nv(), n = elastic.joints().size(), rows = 400;
    const Samples s = waves(robot.nv(), 2, rows);
    std::vector<double> tau(rows * nv), theta(rows * n), theta_v(rows * n), theta_a(rows * n);
    elastic.along(s.t, s.q, s.v, s.a, s.jerk, s.snap, tau, {theta, theta_v, theta_a});
    double off = 0, size = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      auto row = [r](const std::vector<double>& x, std::size_t w) {
        return std::span(x).subspan(r * w, w);
      };
      std::vector<double> a(nv), motor(n);
      elastic.forward(row(s.q, nv), row(theta, n), row(s.v, nv), row(theta_v, n), row(tau, nv), a,
                      motor);
      for (std::size_t k = 0; k < nv; ++k) off = std::max(off, std::abs(a[k] - s.a[r * nv + k]));
      for (std::size_t e = 0; e < n; ++e) {
        off = std::max(off, std::abs(motor[e] - theta_a[r * n + e]));
        size = std::max(size, std::abs(motor[e]));
      }
    }
    // At the first sample the two derivatives known leave out terms of third order in D/K.
    EXPECT_LT(off, damping > 10 ? 0.05 * size : 1e-6 * size) << damping;
    // The motors' motion is consistent in time: theta_v is the derivative of theta.
    double slip = 0;
    for (std::size_t r = 60; r + 1 < rows; ++r)
      for (std::size_t e = 0; e < n; ++e) {
        const double h = s.t[r + 1] - s.t[r - 1];
        slip = std::max(slip, std::abs((theta[(r + 1) * n + e] - theta[(r - 1) * n + e]) / h -
                                       theta_v[r * n + e]));
      }
    EXPECT_LT(slip, 1e-2) << damping;  // differences of second order
  }
}

TEST(ElasticDynamics, StiffJointsConvergeToRigidOnes) {
  Rng rng(2);
  const Description d = random_tree(rng, 6);
  std::vector<double> off;
  Motion m;
  for (const double stiffness : {1e5, 1e6, 1e7}) {
    Rng same(2);
    const Robot robot = random_elastic(same, d, stiffness, 0);
    if (m.q.empty()) m = random_motion(rng, robot);
    ElasticDynamics elastic(robot);
    Workspace workspace(robot);
    std::vector<double> tau(robot.nv()), rigid(tau);
    elastic.inverse(m.q, m.v, m.a, m.jerk, m.snap, tau);
    inverse_dynamics(robot, workspace, m.q, m.v, m.a, rigid);
    off.push_back(largest_difference(tau, rigid));
  }
  EXPECT_GT(off[2], 0);
  EXPECT_NEAR(off[0] / off[1], 10, 0.1);  // first order in 1/K
  EXPECT_NEAR(off[1] / off[2], 10, 0.1);
}

TEST(ElasticDynamics, FrequencyOfOneLinkIsTheFormulas) {
  const double J = 0.7, B = 0.3, K = 1234;
  ElasticDynamics elastic{Robot(one_link(J, B, K, 0))};
  const std::vector<double> q{0.4}, w = elastic.frequencies(q);
  ASSERT_EQ(w.size(), 1u);
  EXPECT_NEAR(w[0], std::sqrt(K * (1 / J + 1 / B)), 1e-9);
}

TEST(ElasticDynamics, RestingMotorsCarryTheLinks) {
  const Robot robot = elastic_tree();
  ElasticDynamics elastic(robot);
  const std::vector<double> q{0.4, -0.7, 0.1}, none(3), no_speed(2);
  std::vector<double> theta(2), tau(3), a(3), motor(2);
  elastic.resting_motors(q, theta);
  Workspace workspace(robot);
  gravity(robot, workspace, q, tau);
  elastic.forward(q, theta, none, no_speed, tau, a, motor);
  EXPECT_LT(largest(a), 1e-10);
  EXPECT_LT(largest(motor), 1e-10);
  EXPECT_GT(elastic.spring_energy(q, theta), 0);
}

// τ = B θ̈ + τ_s + loss(τ_s, θ̇), with the loss of drive.hpp by hand.
TEST(ElasticDynamics, DriveLossesActOnTheMotor) {
  Description d = one_link(0.5, 0.2, 400, 0);
  d.joints[0].damping = 0.3;
  Drive drive;
  drive.breakaway = 0.5;
  drive.efficiency = {{0, 0.8}};
  d.joints[0].drive = drive;
  ElasticDynamics elastic{Robot(d)};
  const double v = 0.7, a = 2, jerk = -30, snap = 50;
  std::vector<double> tau(1), theta(1), theta_v(1), theta_a(1), q{0.1}, V{v}, A{a}, Y{jerk},
      S{snap};
  elastic.inverse(q, V, A, Y, S, tau, {theta, theta_v, theta_a}, true);
  const double spring = 0.5 * a + 0.3 * v, rate = 0.5 * jerk + 0.3 * a,
               rate2 = 0.5 * snap + 0.3 * jerk;
  EXPECT_NEAR(theta[0], q[0] + spring / 400, 1e-15);
  EXPECT_NEAR(theta_v[0], v + rate / 400, 1e-14);
  EXPECT_NEAR(theta_a[0], a + rate2 / 400, 1e-13);
  EXPECT_NEAR(tau[0], 0.2 * (a + rate2 / 400) + spring + (spring * (1 / 0.8 - 1) + 0.5), 1e-13);
  elastic.inverse(q, V, A, Y, S, tau);  // without friction
  EXPECT_NEAR(tau[0], 0.2 * (a + 0.5 * snap / 400) + 0.5 * a, 1e-13);
}

// A rigid joint that moves no mass: torques are defined, accelerations are not.
TEST(ElasticDynamics, TorquesNeedNoInvertibleMassMatrix) {
  Description d = one_link(0.5, 0.2, 400, 0);
  LinkDescription pointer;
  pointer.name = "pointer";
  JointDescription j;
  j.name = "free";
  j.type = JointType::continuous;
  j.parent = "arm";
  j.child = "pointer";
  j.axis = {0, 0, 1};
  d.links.push_back(pointer);
  d.joints.push_back(j);
  ElasticDynamics elastic{Robot(d)};
  const std::vector<double> q{0.1, 0.2}, v{1, 0}, a{2, 0}, none(2), theta{0.1}, theta_v{1};
  std::vector<double> tau(2), out(2), motor(1);
  elastic.inverse(q, v, a, none, none, tau);
  EXPECT_NEAR(tau[0], 0.7 * 2, 1e-12);
  EXPECT_EQ(tau[1], 0);
  EXPECT_THROW(elastic.forward(q, theta, v, theta_v, tau, out, motor), Error);
}

TEST(ElasticDynamics, WrongSizesAreRefused) {
  ElasticDynamics elastic(elastic_tree());
  const std::vector<double> three(3), two(2);
  std::vector<double> tau(3), out(2);
  EXPECT_THROW(elastic.inverse(three, three, three, three, two, tau), std::invalid_argument);
  EXPECT_THROW(elastic.forward(three, three, three, two, three, tau, out), std::invalid_argument);
  EXPECT_THROW(elastic.resting_motors(two, out), std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
