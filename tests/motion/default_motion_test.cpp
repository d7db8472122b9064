#include "motion/default_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/format/builtin.hpp"
#include "motion/derive.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

std::vector<Robot> robots() {
  std::vector<Robot> all{everything(), Robot::load("chain:7"), Robot::load("orthogonal:5"),
                         Robot::load("puma560", {.floating = true})};
  for (const BuiltinRobot& b : builtin_robots())
    if (b.name.find(':') == std::string::npos) all.push_back(Robot::load(b.name));
  return all;
}

// Without limits, half a metre or half a turn about zero; the middle half of it.
TEST(DefaultMotion, GoesSoFarWhereNothingLimitsIt) {
  for (const auto& [type, reach] :
       {std::pair("prismatic", 0.25), {"continuous", std::numbers::pi / 4}}) {
    const SampledTrajectory m = default_motion(single(type, "axis = [1, 0, 0]"));
    EXPECT_NEAR(m.q.front(), -reach, 1e-15);
    EXPECT_NEAR(m.q.back(), reach, 1e-15);
  }
  const SampledTrajectory within =
      default_motion(single("prismatic", "axis = [1, 0, 0]\nlower = 0.1\nupper = 0.5"));
  EXPECT_NEAR(within.q.front(), 0.2, 1e-15);
  EXPECT_NEAR(within.q.back(), 0.4, 1e-15);
}

TEST(DefaultMotion, StaysInsideLimitsFromRestToRest) {
  for (const Robot& robot : robots()) {
    const SampledTrajectory m = default_motion(robot);
    ASSERT_EQ(m.rows, 201u);
    EXPECT_EQ(m.q.size(), m.rows * robot.nq());
    EXPECT_EQ(m.v.size(), m.rows * robot.nv());
    EXPECT_EQ(m.a.size(), m.rows * robot.nv());
    EXPECT_EQ(m.t.front(), 0);
    EXPECT_GE(m.t.back(), 2);
    double most = 0;
    for (int k = 0; k < robot.nv(); ++k) {
      EXPECT_EQ(m.v[k], 0) << robot.name();
      // The profile's rate at its end is rounded: 30/T times some units of 2⁻⁵³.
      EXPECT_NEAR(m.v[(m.rows - 1) * robot.nv() + k], 0, 1e-14) << robot.name();
      most = std::max(most, std::abs(m.v[100 * robot.nv() + k]));
    }
    EXPECT_GT(most, 0.01) << robot.name();
    for (const LimitBreak& b : broken_limits(robot, m, std::vector<double>(m.v.size())))
      ADD_FAILURE() << robot.name() << ": " << b.kind << " of " << b.coordinate << " is " << b.value
                    << " past " << b.limit;
  }
}

TEST(DefaultMotion, VelocitiesAndAccelerationsAreItsDerivatives) {
  for (const Robot& robot : robots()) {
    const SampledTrajectory m = default_motion(robot, 401);
    SampledTrajectory d = m;
    derive_motion(robot, d, false, false);
    for (std::size_t k = 0; k < m.v.size(); ++k) {
      EXPECT_NEAR(d.v[k], m.v[k], 1e-4 * 2) << robot.name() << " " << k;
      EXPECT_NEAR(d.a[k], m.a[k], 2e-2) << robot.name() << " " << k;
    }
  }
}

TEST(DefaultMotion, MindsFollowersAndSlowJoints) {
  // thumb = 0.1 - 2 finger in [-0.5, 0.7]: finger in [-0.3, 0.3]; |thumb'| ≤ 0.5: |finger'| ≤ 0.25.
  const Robot robot = everything();
  const SampledTrajectory m = default_motion(robot);
  const int q = robot.nq() - 1, v = robot.nv() - 1;
  double high = 0, fast = 0;
  for (std::size_t r = 0; r < m.rows; ++r) {
    high = std::max(high, std::abs(m.q[r * robot.nq() + q]));
    fast = std::max(fast, std::abs(m.v[r * robot.nv() + v]));
  }
  EXPECT_LE(high, 0.15);
  EXPECT_GT(high, 0.1);
  EXPECT_LE(fast, 0.25 * (1 + 1e-12));

  // A limit of 0 is none; what may hardly move moves as far as an hour takes it.
  const char* within = "axis = [0,0,1]\nlower = -1\nupper = 1\n";
  EXPECT_EQ(default_motion(single("revolute", std::string(within) + "velocity = 0")).q,
            default_motion(single("revolute", within)).q);
  const SampledTrajectory slow =
      default_motion(single("revolute", "axis = [0,0,1]\nlower = -1\nupper = 1\nvelocity = 1e-6"));
  EXPECT_NEAR(slow.t.back(), 3600, 1e-6);
  for (const double w : slow.v) EXPECT_LE(std::abs(w), 1e-6 * (1 + 1e-12));
}

// Of any two coordinates of a trajectory: the largest distance of their curves, each as a share of
// its own range about its own middle. Curves that are one another's negative count as equal.
double least_distance(const Robot& robot, const SampledTrajectory& m, bool velocities) {
  const std::size_t n = velocities ? robot.nv() : robot.nq();
  const std::vector<double>& x = velocities ? m.v : m.q;
  std::vector<std::vector<double>> curves;
  for (std::size_t k = 0; k < n; ++k) {
    double low = x[k], high = x[k];
    for (std::size_t r = 0; r < m.rows; ++r) {
      low = std::min(low, x[r * n + k]);
      high = std::max(high, x[r * n + k]);
    }
    EXPECT_GT(high, low) << robot.name() << " " << k;
    curves.emplace_back();
    for (std::size_t r = 0; r < m.rows; ++r)
      curves.back().push_back((2 * x[r * n + k] - low - high) / (high - low));
  }
  double least = 2;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double same = 0, mirrored = 0;
      for (std::size_t r = 0; r < m.rows; ++r) {
        same = std::max(same, std::abs(curves[i][r] - curves[j][r]));
        mirrored = std::max(mirrored, std::abs(curves[i][r] + curves[j][r]));
      }
      least = std::min({least, same, mirrored});
    }
  return least;
}

TEST(DefaultMotion, MovesNoTwoJointsAlike) {
  for (const char* name : {"puma560", "ur5", "panda", "chain:7", "chain:30", "quadruped"}) {
    const Robot robot = Robot::load(name);
    const SampledTrajectory m = default_motion(robot);
    EXPECT_GT(least_distance(robot, m, true), 0.02) << name;
    EXPECT_GT(least_distance(robot, m, false), 0.02) << name;
  }
  const Robot robot = Robot::load("chain:7");
  const SampledTrajectory alike = sampled_evenly(robot, *joints_together(robot), 201);
  EXPECT_LT(least_distance(robot, alike, false), 1e-12);
}

TEST(DefaultMotion, TogetherGoesFromOnePoseToTheOther) {
  for (const Robot& robot : robots()) {
    const TwoPoses poses = two_poses(robot);
    const SampledTrajectory m = sampled_evenly(robot, *joints_together(robot), 201);
    const std::size_t nq = robot.nq();
    for (std::size_t k = 0; k < nq; ++k) {
      EXPECT_NEAR(m.q[k], poses.from[k], 1e-15);
      EXPECT_NEAR(m.q[(m.rows - 1) * nq + k], poses.to[k], 1e-15);
    }
    EXPECT_TRUE(broken_limits(robot, m, std::vector<double>(m.v.size())).empty());
  }
}

TEST(BrokenLimits, NamesTheWorstOfEachKind) {
  const Robot robot =
      single("revolute", "axis = [0, 0, 1]\nlower = -1\nupper = 1\nvelocity = 2\neffort = 10");
  SampledTrajectory m;
  m.rows = 4;
  m.q = {0, 1.5, -3, 1};
  m.v = {2, -2, 2.5, 0};
  m.a = {0, 0, 0, 0};
  const auto broken = broken_limits(robot, m, {10, -10, -12, 11});
  ASSERT_EQ(broken.size(), 3u);
  EXPECT_EQ(broken[0].kind, "position");
  EXPECT_EQ(broken[0].coordinate, "j");
  EXPECT_EQ(broken[0].value, -3);
  EXPECT_EQ(broken[0].limit, -1);
  EXPECT_EQ(broken[0].row, 2u);
  EXPECT_EQ(broken[1].kind, "velocity");
  EXPECT_EQ(broken[1].value, 2.5);
  EXPECT_EQ(broken[2].kind, "effort");
  EXPECT_EQ(broken[2].value, -12);
  EXPECT_EQ(broken[2].limit, -10);

  // At a limit is inside it, also after rounding.
  m.q = {1, -1, std::nextafter(1, 2), 1};
  m.v = {2, -2, 0, 0};
  EXPECT_TRUE(broken_limits(robot, m, {10, -10, 0, 0}).empty());
}

TEST(BrokenLimits, SeesFollowers) {
  const Robot robot = everything();
  SampledTrajectory m = default_motion(robot, 2);
  m.q[robot.nq() - 1] = 0.5;  // thumb at -0.9
  m.v[robot.nv() - 1] = 1;    // thumb at -2
  const auto broken = broken_limits(robot, m, std::vector<double>(m.v.size()));
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0].coordinate, "thumb");
  EXPECT_EQ(broken[0].kind, "position");
  EXPECT_DOUBLE_EQ(broken[0].value, -0.9);
  EXPECT_EQ(broken[1].kind, "velocity");
  EXPECT_EQ(broken[1].value, -2);
  EXPECT_EQ(broken[1].limit, -0.5);
}

}  // namespace
}  // namespace parid::test
