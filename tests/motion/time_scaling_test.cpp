#include "motion/scaling/time_scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/default_motion.hpp"
#include "motion/derive.hpp"
#include "motion/path/joint_path.hpp"
#include "parid/engine.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

TorquesAlong by_engine(const Robot& robot) {
  auto engine = std::make_shared<Engine>(robot, EngineOptions{.threads = 1});
  return [engine, nv = robot.nv()](const SampledTrajectory& m) {
    std::vector<double> tau(m.rows * nv);
    engine->inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
    return tau;
  };
}

// The largest share of a limit that is used, of torques and of speeds.
double most_used(const Robot& robot, const SampledTrajectory& m, const std::vector<double>& tau) {
  double most = 0;
  const std::size_t nv = robot.nv();
  for (std::size_t i = 0; i < m.rows * nv; ++i) {
    const Robot::Limit& limit = robot.limits()[i % nv];
    most = std::max({most, std::abs(m.v[i]) / limit.velocity, std::abs(tau[i]) / limit.effort});
  }
  return most;
}

struct Case {
  Robot robot;
  SampledTrajectory motion;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name : {"puma560", "panda", "ur5", "scara", "stanford", "puma560-positioning"}) {
    const Robot robot = Robot::load(name);
    all.push_back({robot, default_motion(robot)});
  }
  const Robot puma = Robot::load("puma560");
  std::vector<double> q0 = puma.neutral(), q1 = q0, q2 = q0;
  q1[0] = 0.8;
  q1[1] -= 0.5;
  q1[2] += 0.9;
  q2[0] = -0.4;
  q2[3] = 0.7;
  q2[4] = -0.3;
  all.push_back(
      {puma, sampled(puma, *joint_spline(puma, {q0, q1, q2}, {0, 0.4, 1}, Smoothness::minimum_jerk),
                     500)});
  all.push_back(
      {puma, sampled(puma,
                     *sequence({timed(joint_line(puma, q0, q1), Profile::trapezoid(1, 0.3)),
                                standing(q1, 0.3),
                                timed(joint_line(puma, q1, q2), Profile::minimum_jerk(1))}),
                     200)});
  return all;
}

TEST(TimeScaling, UniformTouchesALimitAndBreaksNone) {
  for (const auto& [robot, motion] : cases()) {
    const TorquesAlong torques = by_engine(robot);
    const TimeScaling s = scaled_uniformly(robot, motion, torques);
    EXPECT_NEAR(most_used(robot, s.motion, torques(s.motion)), 1, 1e-9) << robot.name();
    EXPECT_FALSE(s.binding.empty());
    EXPECT_NEAR(s.motion.t.back(), motion.t.back() * s.factor, 1e-12 * motion.t.back());
    // A trifle faster breaks something.
    SampledTrajectory faster = s.motion;
    for (double& v : faster.v) v *= 1.001;
    for (double& a : faster.a) a *= 1.001 * 1.001;
    EXPECT_GT(most_used(robot, faster, torques(faster)), 1) << robot.name();
    // Scaling a scaled motion changes nothing.
    EXPECT_NEAR(scaled_uniformly(robot, s.motion, torques).factor, 1, 1e-9);
    EXPECT_EQ(scaled_uniformly(robot, motion, torques, true).factor, std::max(1.0, s.factor));
  }
}

// Speeds change by no more than the accelerations beside them explain.
void expect_no_jumps(const Robot& robot, const SampledTrajectory& m) {
  const std::size_t nv = robot.nv();
  for (std::size_t i = nv; i < m.rows * nv; ++i) {
    const std::size_t r = i / nv, before = r > 1 ? i - 2 * nv : i - nv;
    // At a seam the acceleration is the next piece's; the sample before has that of the end.
    const double most = std::max({std::abs(m.a[before]), std::abs(m.a[i - nv]), std::abs(m.a[i])});
    EXPECT_LE(std::abs(m.v[i] - m.v[i - nv]), 1.1 * most * (m.t[r] - m.t[r - 1]) + 1e-9)
        << robot.name() << ", t = " << m.t[r];
  }
}

const char* const two_links =
    "name = 'two'\nconvention = 'frames'\ngravity = [0, 0, 0]\n"
    "[[joint]]\nname = 'a'\naxis = [0, 0, 1]\nmass = 1\ncom = [0.5, 0, 0]\n"
    "inertia = [0.01, 0.08, 0.08]\neffort = 5\nvelocity = 3\n"
    "[[joint]]\nname = 'b'\naxis = [0, 0, 1]\nxyz = [1, 0, 0]\nmass = 1\ncom = [0.5, 0, 0]\n"
    "inertia = [0.01, 0.08, 0.08]\neffort = 5\nvelocity = 3\n";

TEST(TimeScaling, OptimalStopsAtACornerBetweenInstantsOfTheRate) {
  const Robot robot = robot_of(two_links);
  const TorquesAlong torques = by_engine(robot);
  for (const double first : {1.0, 1.0037, 1.0000004, 0.0071}) {
    const auto one = timed(joint_line(robot, {0, 0}, {0.5, 0}), Profile::minimum_jerk(first));
    const auto two = timed(joint_line(robot, {0.5, 0}, {0.5, 0.5}), Profile::minimum_jerk(1));
    auto scaled = [&](const Trajectory& trajectory) {
      return scaled_optimally(robot, sampled_by_parts(robot, trajectory, 100), torques).motion;
    };
    const SampledTrajectory both = scaled(*sequence({one, two}));
    expect_no_jumps(robot, both);
    EXPECT_NEAR(both.t.back(), scaled(*one).t.back() + scaled(*two).t.back(), 1e-9) << first;
  }
}

TEST(TimeScaling, OptimalStopsWhereAllJointsTurnBackAtOnce) {
  const Robot robot = robot_of(two_links);
  const auto trajectory = joint_spline(robot, {{0, 0}, {0.5, 0.25}, {-0.2, -0.1}}, {0, 0.7123, 2},
                                       Smoothness::minimum_jerk);
  expect_no_jumps(
      robot,
      scaled_optimally(robot, sampled_by_parts(robot, *trajectory, 100), by_engine(robot)).motion);
}

TEST(TimeScaling, OptimalRefusesACornerThatNoSampleStopsAt) {
  const Robot robot = robot_of(two_links);
  const auto trajectory =
      sequence({timed(joint_line(robot, {0, 0}, {0.5, 0}), Profile::minimum_jerk(1.0037)),
                timed(joint_line(robot, {0.5, 0}, {0.5, 0.5}), Profile::minimum_jerk(1))});
  try {
    scaled_optimally(robot, sampled(robot, *trajectory, 100), by_engine(robot));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("has a corner"), std::string::npos) << e.what();
  }
}

TEST(TimeScaling, OptimalKeepsToLimitsAndIsNotSlower) {
  for (const auto& [robot, motion] : cases()) {
    const TorquesAlong torques = by_engine(robot);
    const double uniform = scaled_uniformly(robot, motion, torques).factor;
    const TimeScaling s = scaled_optimally(robot, motion, torques);
    EXPECT_LE(s.factor, uniform * (1 + 1e-9)) << robot.name();
    const double used = most_used(robot, s.motion, torques(s.motion));
    EXPECT_LE(used, 1 + 1e-9) << robot.name();
    EXPECT_GE(used, 1 - 1e-8) << robot.name();
    for (std::size_t r = 1; r < s.motion.rows; ++r) ASSERT_GT(s.motion.t[r], s.motion.t[r - 1]);
    for (int k = 0; k < robot.nq(); ++k)
      EXPECT_EQ(s.motion.q[(s.motion.rows - 1) * robot.nq() + k],
                motion.q[(motion.rows - 1) * robot.nq() + k]);
    for (int k = 0; k < robot.nv(); ++k) {
      EXPECT_EQ(s.motion.v[k], 0);
      EXPECT_EQ(s.motion.v[(s.motion.rows - 1) * robot.nv() + k], 0);
    }
    // Nearly all of it is at some limit: that is what optimal means.
    std::size_t at_limit = 0;
    const std::vector<double> tau = torques(s.motion);
    for (std::size_t r = 0; r < s.motion.rows; ++r) {
      double most = 0;
      for (int k = 0; k < robot.nv(); ++k) {
        const std::size_t i = r * robot.nv() + k;
        most = std::max({most, std::abs(tau[i]) / robot.limits()[k].effort,
                         std::abs(s.motion.v[i]) / robot.limits()[k].velocity});
      }
      at_limit += most > 0.95;
    }
    EXPECT_GT(at_limit, s.motion.rows * 8 / 10) << robot.name() << " " << s.motion.rows;
  }
}

// The re-timed samples are a motion: velocities are the derivatives of positions.
TEST(TimeScaling, OptimalVelocitiesBelongToItsPositions) {
  const Robot robot = Robot::load("puma560");
  const SampledTrajectory motion = default_motion(robot, 801);
  const TimeScaling s = scaled_optimally(robot, motion, by_engine(robot));
  const std::size_t n = robot.nv();
  double fastest = 0;
  for (const double v : s.motion.v) fastest = std::max(fastest, std::abs(v));
  for (std::size_t r = 0; r + 1 < s.motion.rows; ++r)
    for (std::size_t k = 0; k < n; ++k) {
      // Constant acceleration along a nearly straight step: the mean speed is the ends' mean.
      const double h = s.motion.t[r + 1] - s.motion.t[r];
      EXPECT_NEAR((s.motion.q[(r + 1) * n + k] - s.motion.q[r * n + k]) / h,
                  (s.motion.v[r * n + k] + s.motion.v[(r + 1) * n + k]) / 2, 2e-4 * fastest);
    }
}

// Joints that move in proportion do so from the first instant to the last; when it begins is no
// matter.
TEST(TimeScaling, OptimalKeepsTheDirectionAtRest) {
  const Robot robot = robot_of(two_links);
  const std::vector<double> q0{0, 0.2}, q1{0.5, -0.4};
  const auto line = timed(joint_line(robot, q0, q1), Profile::minimum_jerk(2));
  SampledTrajectory m = sampled_by_parts(robot, *line, 50);
  EXPECT_EQ(m.rows, 101u);
  const TimeScaling s = scaled_optimally(robot, m, by_engine(robot));
  const std::vector<double>& a = s.motion.a;
  for (const std::size_t row : {std::size_t{0}, s.motion.rows - 1}) {
    const double first = a[row * 2], second = a[row * 2 + 1];
    EXPECT_GT(std::abs(first), 0.1);
    EXPECT_NEAR(second, first * (q1[1] - q0[1]) / (q1[0] - q0[0]), 1e-9 * std::abs(first));
  }
  for (double& t : m.t) t += 10;
  EXPECT_NEAR(scaled_optimally(robot, m, by_engine(robot)).factor, s.factor, 1e-12);
}

// A mass on rails without gravity: from rest to rest over L with force F, T = 2 √(m L / F).
TEST(TimeScaling, OptimalIsBangBangForAMassOnRails) {
  const Robot robot = single("prismatic", "axis = [1,0,0]\neffort = 8\nlower = -9\nupper = 9");
  const SampledTrajectory m =
      sampled(robot, *timed(joint_line(robot, {0}, {1}), Profile::minimum_jerk(3)), 400);
  const TimeScaling s = scaled_optimally(robot, m, by_engine(robot));
  EXPECT_NEAR(s.motion.t.back(), 2 * std::sqrt(2.0 * 1 / 8), 1e-3);
  ASSERT_EQ(s.binding.size(), 1u);
  EXPECT_EQ(s.binding[0].kind, "effort");
  EXPECT_EQ(s.binding[0].coordinate, "j");
  EXPECT_GE(s.binding[0].rows, m.rows - 2);
  // With a speed limit: T = L/V + V m/F.
  const Robot slow =
      single("prismatic", "axis = [1,0,0]\neffort = 8\nvelocity = 0.5\nlower = -9\nupper = 9");
  EXPECT_NEAR(scaled_optimally(slow, m, by_engine(slow)).motion.t.back(), 1 / 0.5 + 0.5 * 2 / 8,
              1e-3);
}

TEST(TimeScaling, SaysWhatCannotBe) {
  auto refusal = [](const Robot& robot, const SampledTrajectory& m, bool optimal) -> std::string {
    try {
      optimal ? scaled_optimally(robot, m, by_engine(robot))
              : scaled_uniformly(robot, m, by_engine(robot));
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  // 2 kg at 0.1 m take 1.96 N m when level.
  const Robot weak = single("revolute", "axis = [0,1,0]\neffort = 1\nlower = -3\nupper = 3");
  const SampledTrajectory level =
      sampled(weak, *timed(joint_line(weak, {-1.5}, {1.5}), Profile::minimum_jerk(2)), 100);
  EXPECT_NE(refusal(weak, level, false).find("the holding torque alone"), std::string::npos);
  EXPECT_NE(refusal(weak, level, true).find("re-timing cannot help"), std::string::npos)
      << refusal(weak, level, true);
  const Robot free = single("continuous", "axis = [0,0,1]");
  const SampledTrajectory turn =
      sampled(free, *timed(joint_line(free, {0}, {1}), Profile::cubic(1)), 100);
  EXPECT_NE(refusal(free, turn, false).find("no limit"), std::string::npos);
  EXPECT_NE(refusal(free, turn, true).find("no limit"), std::string::npos);
  const Robot puma = Robot::load("puma560");
  SampledTrajectory cut = default_motion(puma);
  cut.rows = 100;
  EXPECT_NE(refusal(puma, cut, true).find("does not end at rest"), std::string::npos);
  cut.t.clear();
  EXPECT_NE(refusal(puma, cut, true).find("the times of the samples"), std::string::npos);
}

// A turning base makes torques depend on the direction of travel: uniform scaling counts it.
TEST(TimeScaling, UniformCountsATurningBase) {
  const Robot robot = Robot::load("puma560");
  const SampledTrajectory m = default_motion(robot);
  auto engine = std::make_shared<Engine>(robot, EngineOptions{.threads = 1});
  engine->set_base_motion({0.4, -0.3, 1.2}, {0, 0, 0}, {0, 0, 0});
  const TorquesAlong torques = [&](const SampledTrajectory& at) {
    std::vector<double> tau(at.rows * 6);
    engine->inverse_dynamics(at.rows, at.q, at.v, at.a, tau);
    return tau;
  };
  const TimeScaling s = scaled_uniformly(robot, m, torques);
  EXPECT_NEAR(most_used(robot, s.motion, torques(s.motion)), 1, 1e-9);
  EXPECT_THROW(scaled_optimally(robot, m, torques), Error);
}

}  // namespace
}  // namespace parid::test
