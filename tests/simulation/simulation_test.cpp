// Torque sources, controllers, stops: what surrounds the integrators.

#include "parid/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/default_motion.hpp"
#include "parid/controllers.hpp"
#include "parid/dynamics.hpp"
#include "simulation/integrator.hpp"
#include "tests/base/scratch.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/simulation/pendulum.hpp"

namespace parid::test {
namespace {

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// Inverse dynamics of what came out gives back the torques that went in.
TEST(Simulation, InverseDynamicsGivesTheTorquesBack) {
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  const std::size_t n = robot.nv();
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 0.3, .stop_at = StopAt::nothing});
    std::vector<double> still(n, 0.0), tau(n);
    s.set_state(robot.neutral(), still);
    TorqueSamples file{{0, 0.15, 0.3}, {}};
    for (int i = 0; i < 18; ++i) file.tau.push_back(5 * std::sin(i));
    const SimulationResult r = s.run(*open_loop(file));
    ASSERT_EQ(r.motion.rows, 31u);
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      inverse_dynamics(robot, workspace, std::span(r.motion.q).subspan(i * n, n),
                       std::span(r.motion.v).subspan(i * n, n),
                       std::span(r.motion.a).subspan(i * n, n), tau);
      for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(tau[k], r.tau[i * n + k], 1e-9) << method.id;
    }
  }
}

// Constant torque on a rod without gravity, in pieces: straight from one instant to the next, or
// held.
TEST(Simulation, TorquesBetweenInstants) {
  const Robot robot = Robot(pendulum_chain(1)).with_gravity({0, 0, 0});
  const TorqueSamples ramp{{0, 1, 2}, {0, 1, 3}};
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 3, .rate = 10});
    // v = 3 ∫τ: ½ + 2 + 3 of the ramp, 0 + 1 + 3 held; the last torque stays.
    EXPECT_NEAR(s.run(*open_loop(ramp)).motion.v.back(), 3 * 5.5, 1e-9) << method.id;
    EXPECT_NEAR(s.run(*open_loop(ramp, Hold::zero_order)).motion.v.back(), 3 * 4.0, 1e-9)
        << method.id;
  }
}

// A sampled controller's torques are held: evaluated 10 times a second, 21 times in 2 s.
TEST(Simulation, ControllersAreAskedAtTheirRate) {
  const Robot robot = Robot(pendulum_chain(1)).with_gravity({0, 0, 0});
  std::vector<double> asked;
  const auto source = sampled_control(
      robot,
      [&](double t, std::span<const double>, std::span<const double>, std::span<double> tau) {
        asked.push_back(t);
        tau[0] = t;
      },
      10);
  const SimulationResult r = Simulation(robot, {.time = 2, .rate = 40}).run(*source);
  ASSERT_EQ(asked.size(), 21u);
  for (std::size_t i = 0; i < asked.size(); ++i)
    EXPECT_NEAR(asked[i], 0.1 * static_cast<double>(i), 1e-12);
  for (std::size_t i = 0; i < r.motion.rows; ++i)
    EXPECT_NEAR(r.tau[i], std::floor(r.motion.t[i] * 10 + 1e-9) / 10, 1e-12);
  EXPECT_NEAR(r.motion.v.back(), 3 * 0.1 * (190 / 10.), 1e-9);
}

TEST(Simulation, ControllersFollow) {
  const Robot robot = Robot::load("puma560");
  const SampledTrajectory motion = default_motion(robot);
  const std::size_t n = robot.nv();
  std::vector<double> worst;
  for (const ControllerEntry& entry : controllers()) {
    const double rate = static_cast<double>(motion.rows - 1) / motion.t.back();
    Simulation s(robot, {.time = motion.t.back() + 1, .rate = rate, .stop_at = StopAt::nothing});
    s.set_state(std::span(motion.q).first(n), std::span(motion.v).first(n));
    const SimulationResult r =
        s.run(*sampled_control(robot, controller(entry.id, robot, motion), 1000));
    ASSERT_EQ(r.end, SimulationEnd::finished) << entry.id << r.why;
    double off = 0;
    for (std::size_t i = 0; i < motion.rows; ++i)
      for (std::size_t k = 0; k < n; ++k)
        off = std::max(off, std::abs(r.motion.q[i * n + k] - motion.q[i * n + k]));
    worst.push_back(off);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(r.motion.v[r.motion.v.size() - n + k], 0, 1e-3);
  }
  ASSERT_EQ(worst.size(), 4u);
  EXPECT_LT(worst[0], 0.5);       // pd sags
  EXPECT_LT(worst[1], worst[0]);  // and less with gravity taken off
  EXPECT_LT(worst[2], 1e-3);      // computed torque is off by what the hold of 1 ms lets happen
  EXPECT_LT(worst[3], 1e-3);      // so is feed-forward, where the model is right
}

// Khosla and Kanade's law: at the desired state its torques are those of the desired motion, and
// away from it they change by the gains alone.
TEST(Simulation, FeedForwardIsInverseDynamicsOfTheDesiredMotionAndPd) {
  Rng rng(4);
  for (int sample = 0; sample < 4; ++sample) {
    const Robot robot(sample % 2 ? random_tree(rng, 6, {.prismatic = 0.5})
                                 : random_chain(rng, 5, {.prismatic = 0.5}));
    const std::size_t n = static_cast<std::size_t>(robot.nv());
    const SampledTrajectory motion = default_motion(robot);
    const double kp = 70, kd = 9;
    ControlLaw law = controller("pd+feedforward", robot, motion, {{kp}, {kd}});
    Workspace workspace(robot);
    const std::size_t row = motion.rows / 3;
    std::vector<double> q(n), v(n), a(n), tau(n), right(n);
    for (std::size_t k = 0; k < n; ++k) {
      q[k] = motion.q[row * n + k];
      v[k] = motion.v[row * n + k];
      a[k] = motion.a[row * n + k];
    }
    inverse_dynamics(robot, workspace, q, v, a, right);
    const double scale = *std::max_element(
        right.begin(), right.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
    for (std::size_t k = 0; k < n; ++k) {
      q[k] += 0.01;
      v[k] -= 0.02;
    }
    law(motion.t[row], q, v, tau);
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_NEAR(tau[k], right[k] - 0.01 * kp + 0.02 * kd, 1e-12 * (1 + std::abs(scale)));
  }
}

TEST(Simulation, ControllersCompensateFriction) {
  const Robot robot = Robot::load("puma560");
  const SampledTrajectory motion = default_motion(robot);
  const std::size_t n = static_cast<std::size_t>(robot.nv());
  for (const char* id : {"computed_torque", "pd+feedforward"}) {
    double worst[2] = {0, 0};
    for (const bool compensated : {false, true}) {
      Simulation s(robot, {.time = motion.t.back(),
                           .rate = 100,
                           .tolerance = 1e-6,
                           .friction = true,
                           .stop_at = StopAt::nothing});
      s.set_state(std::span(motion.q).first(n), std::span(motion.v).first(n));
      const SimulationResult r = s.run(*sampled_control(
          robot, controller(id, robot, motion, {}, compensated ? &robot : nullptr), 500));
      ASSERT_EQ(r.end, SimulationEnd::finished) << id << r.why;
      const double step = static_cast<double>(motion.rows - 1) / motion.t.back() / 100;
      for (std::size_t i = 0; i < r.motion.rows; ++i) {
        const auto at = static_cast<std::size_t>(std::lround(step * static_cast<double>(i)));
        for (std::size_t k = 0; k < n && at < motion.rows; ++k)
          worst[compensated] =
              std::max(worst[compensated], std::abs(r.motion.q[i * n + k] - motion.q[at * n + k]));
      }
    }
    EXPECT_LT(worst[1], 0.5 * worst[0]) << id;
  }
  const Robot other = Robot::load("planar2");
  EXPECT_THROW(controller("pd", robot, motion, {}, &other), Error);
}

TEST(Simulation, StopsWhereALimitIsHit) {
  Description d = pendulum_chain(1);
  d.gravity = {};
  d.joints[0].type = JointType::revolute;
  d.joints[0].has_limits = true;
  d.joints[0].limits = {-1, 2, 5, 100};
  const Robot robot(d);
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 3});
    s.set_state(std::vector{0.0}, std::vector{1.5});
    const SimulationResult r = s.run();
    EXPECT_EQ(r.end, SimulationEnd::limit);
    EXPECT_EQ(r.coordinate, "joint1");
    EXPECT_NEAR(r.ended_at, 2 / 1.5, 1e-9) << method.id;
    EXPECT_NEAR(r.motion.t.back(), r.ended_at, 1e-12);
    EXPECT_NEAR(r.motion.q.back(), 2, 1e-9);
    // v = 3 τ t reaches 5 at 5/6 s, where q = 25/12 is past the position's limit; so slower.
    Simulation v(robot,
                 {.integrator = method.id, .time = 3, .stop_at = StopAt::position_or_velocity});
    v.set_state(std::vector{-1.0}, std::vector{0.0});
    const SimulationResult fast = v.run(*open_loop({{0}, {2}}));
    EXPECT_EQ(fast.end, SimulationEnd::limit);
    EXPECT_NEAR(fast.ended_at, 5. / 6, 1e-9) << method.id << fast.why;
    EXPECT_NE(fast.why.find("velocity"), std::string::npos);
  }
  Simulation outside(robot, {});
  EXPECT_NE(message([&] {
              outside.set_state(std::vector{2.5}, std::vector{0.0});
            }).find("the start position of 'joint1' is 2.5, beyond its limit 2"),
            std::string::npos);
  Simulation lets(robot, {.time = 3, .stop_at = StopAt::nothing});
  lets.set_state(std::vector{0.0}, std::vector{1.5});
  EXPECT_EQ(lets.run().end, SimulationEnd::finished);
}

// Negative damping of the fifth power: v̇ = 3 v⁵ is infinite at 1/(12 v0⁴).
TEST(Simulation, StopsWhereTheStateDiverges) {
  const Robot robot = Robot(pendulum_chain(1)).with_gravity({0, 0, 0});
  for (const IntegratorEntry& method : integrators()) {
    Simulation s(robot, {.integrator = method.id, .time = 3, .step = 1e-4});
    s.set_state(std::vector{0.0}, std::vector{1.0});
    const SimulationResult r =
        s.run(*continuous_control([](double, std::span<const double>, std::span<const double> v,
                                     std::span<double> tau) { tau[0] = std::pow(v[0], 5); }));
    EXPECT_EQ(r.end, SimulationEnd::diverged) << method.id;
    EXPECT_NEAR(r.ended_at, 1. / 12, 2e-3) << method.id;
    for (const double q : r.motion.q) EXPECT_TRUE(std::isfinite(q));
  }
}

TEST(Simulation, TorqueFilesAreRead) {
  const Robot robot = Robot::load("planar2");
  Scratch scratch;
  const TorqueSamples x =
      read_torques(robot, scratch.file("a.csv", "tau:joint2,t,tau:joint1\n1,0,2\n3,0.5,4\n"));
  EXPECT_EQ(x.t, (std::vector{0.0, 0.5}));
  EXPECT_EQ(x.tau, (std::vector{2.0, 1.0, 4.0, 3.0}));
  EXPECT_EQ(read_torques(robot, scratch.file("b.csv", "t,tau1,tau2\n0,5,6\n")).tau,
            (std::vector{5.0, 6.0}));
  auto says = [&](const std::string& text, const std::string& part) {
    const std::string m = message([&] { read_torques(robot, scratch.file("c.csv", text)); });
    EXPECT_NE(m.find(part), std::string::npos) << m;
  };
  says("t,tau:joint1\n0,1\n", "c.csv:1: robot 'planar2' needs a column 'tau:joint2'");
  says("tau:joint1,tau:joint2\n0,1\n", "there is no column 't'");
  says("t,tau1,tau2\n0,1,1\n0,1,1\n", "c.csv:3: t is not ascending: 0 is followed by 0");
}

// Nothing is timed here; were each name searched for among the columns, this would take minutes.
TEST(Simulation, TorquesOfManyJointsTakeTimeInProportion) {
  const Robot robot = Robot::load(instrumented ? "chain:5000" : "chain:100000");
  std::string header = "t", row = "0";
  for (int k = 1; k <= robot.nv(); ++k) {
    header += ",tau" + std::to_string(k);
    row += ",1";
  }
  Scratch scratch;
  EXPECT_EQ(read_torques(robot, scratch.file("a.csv", header + "\n" + row + "\n")).tau,
            std::vector<double>(static_cast<std::size_t>(robot.nv()), 1));
}

TEST(Simulation, NonsenseIsRefused) {
  const Robot robot = Robot::load("planar2");
  EXPECT_NE(message([&] { Simulation(robot, {.time = -1}); }), "");
  EXPECT_NE(message([&] { Simulation(robot, {.rate = 0}); }), "");
  EXPECT_NE(message([&] { Simulation(robot, {.tolerance = 1e-20}); }), "");
  EXPECT_NE(message([&] { Simulation(robot, {.integrator = "euler"}); }), "");
  EXPECT_NE(
      message([&] { controller("pid", robot, default_motion(robot)); }).find("did you mean 'pd'?"),
      std::string::npos);
  EXPECT_NE(message([&] {
              controller("pd", robot, default_motion(robot), {{1, 2, 3}, {}});
            }).find("kp: 3 numbers given; 'planar2' needs 2"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
