#include "motion/path/joint_path.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "motion/default_motion.hpp"
#include "tests/layer.hpp"
#include "tests/motion/course_check.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

std::vector<double> row(const Robot& robot, const SampledTrajectory& m, std::size_t r) {
  return {m.q.begin() + static_cast<long>(r * robot.nq()),
          m.q.begin() + static_cast<long>((r + 1) * robot.nq())};
}

TEST(JointLine, HasExactDerivativesForEveryKindOfJoint) {
  const Robot robot = everything();
  std::vector<double> from = robot.neutral(), to = from;
  to[0] = 0.3;
  to[1] = -0.2;
  to[2] = 0.1;
  const double half = 0.6;  // turns of 1.2 rad about slanted axes
  from[3] = std::sin(0.2);
  from[6] = std::cos(0.2);
  to[3] = 0.6 * std::sin(half);
  to[5] = 0.8 * std::sin(half);
  to[6] = std::cos(half);
  to[8] = std::sin(1.4);
  to[10] = std::cos(1.4);
  to[11] = 0.5;
  to[13] = 2;
  to[14] = -0.3;
  const TrajectoryPointer trajectory =
      timed(joint_line(robot, from, to), Profile::minimum_jerk(1.3));
  for (const double t : {0.1, 0.33, 0.65, 1.0, 1.25}) expect_derivatives(robot, *trajectory, t);

  const Moment start = moment(robot, *trajectory, 0), end = moment(robot, *trajectory, 1.3);
  for (int k = 0; k < robot.nq(); ++k) {
    EXPECT_NEAR(start.q[k], from[k], 1e-15) << k;
    EXPECT_NEAR(end.q[k], to[k], 1e-14) << k;
  }
  for (int k = 0; k < robot.nv(); ++k) {
    EXPECT_EQ(start.v[k], 0);
    EXPECT_EQ(start.a[k], 0);
    EXPECT_NEAR(end.v[k], 0, 1e-14);
  }
}

TEST(JointLine, QuaternionsTurnTheShortestWay) {
  const Robot robot = single("spherical");
  const double c = std::cos(0.25), s = std::sin(0.25);
  // −q is the same rotation: the way is 0.5 rad, not 2π − 0.5.
  for (const double sign : {1.0, -1.0}) {
    const auto way = joint_way(robot, {0, 0, 0, 1}, {0, sign * s, 0, sign * c});
    EXPECT_NEAR(way[1], 0.5, 1e-15);
    EXPECT_EQ(way[0], 0);
  }
  const Moment still = moment(robot, *joint_line(robot, {0, 0, 0, 1}, {0, 0, 0, 1}), 0.4);
  EXPECT_EQ(still.q[3], 1);
  EXPECT_EQ(still.v[0], 0);
}

const std::vector<std::vector<double>> poses{{0, 0.1}, {1, -0.4}, {0.6, 0.8}, {2, 0}};
const std::vector<double> times{0, 0.5, 1.4, 2};

TEST(JointSpline, PassesThroughItsPosesSmoothlyFromRestToRest) {
  const Robot robot = Robot::load("planar2");
  for (const Smoothness smoothness : {Smoothness::minimum_jerk, Smoothness::cubic}) {
    const TrajectoryPointer trajectory = joint_spline(robot, poses, times, smoothness);
    EXPECT_EQ(trajectory->duration(), 2);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Moment here = moment(robot, *trajectory, times[i]);
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(here.q[k], poses[i][k], 1e-13);
      if (i == 0 || i == 3) {
        for (int k = 0; k < 2; ++k) EXPECT_NEAR(here.v[k], 0, 1e-12);
        continue;
      }
      const Moment before = moment(robot, *trajectory, times[i] - 1e-9),
                   after = moment(robot, *trajectory, times[i] + 1e-9);
      for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(before.v[k], after.v[k], 1e-6);
        EXPECT_NEAR(before.a[k], after.a[k], 1e-5);
        EXPECT_GT(std::abs(here.v[k]) + std::abs(here.a[k]), 0.1);  // it does not stop there
      }
    }
    for (const double t : {0.1, 0.4, 0.7, 1.2, 1.7}) expect_derivatives(robot, *trajectory, t);
  }
}

// Jerk and its rate, by differences of accelerations.
TEST(JointSpline, MinimumJerkHasFourContinuousDerivatives) {
  const Robot robot = Robot::load("planar2");
  const TrajectoryPointer trajectory = joint_spline(robot, poses, times, Smoothness::minimum_jerk);
  const double h = 1e-3;
  for (const double t : {0.5, 1.4})
    for (int k = 0; k < 2; ++k) {
      auto a = [&](double at) { return moment(robot, *trajectory, at).a[k]; };
      const double left3 = (3 * a(t) - 4 * a(t - h) + a(t - 2 * h)) / (2 * h),
                   right3 = (-3 * a(t) + 4 * a(t + h) - a(t + 2 * h)) / (2 * h);
      const double left4 = (2 * a(t) - 5 * a(t - h) + 4 * a(t - 2 * h) - a(t - 3 * h)) / (h * h),
                   right4 = (2 * a(t) - 5 * a(t + h) + 4 * a(t + 2 * h) - a(t + 3 * h)) / (h * h);
      EXPECT_NEAR(left3, right3, 1e-2);
      EXPECT_NEAR(left4, right4, 1e-3 * std::abs(left4) + 1e-1);
    }
  for (const double t : {0.0, 2.0})
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(moment(robot, *trajectory, t).a[k], 0, 1e-10);
}

TEST(JointSpline, BetweenTwoPosesIsTheProfile) {
  const Robot robot = Robot::load("planar2");
  for (const auto& [smoothness, profile] :
       {std::pair{Smoothness::minimum_jerk, Profile::minimum_jerk(1.7)},
        std::pair{Smoothness::cubic, Profile::cubic(1.7)}}) {
    const TrajectoryPointer spline =
                                joint_spline(robot, {poses[0], poses[1]}, {0, 1.7}, smoothness),
                            line = timed(joint_line(robot, poses[0], poses[1]), profile);
    for (const double t : {0.0, 0.3, 0.9, 1.7}) {
      const Moment a = moment(robot, *spline, t), b = moment(robot, *line, t);
      for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(a.q[k], b.q[k], 1e-14);
        EXPECT_NEAR(a.v[k], b.v[k], 1e-13);
        EXPECT_NEAR(a.a[k], b.a[k], 1e-12);
      }
    }
  }
}

TEST(JointBlends, CutCornersAndKeepConstantSpeedBetween) {
  const Robot robot = Robot::load("planar2");
  const TrajectoryPointer trajectory = joint_blends(robot, poses, times, 0.2);
  const Moment start = moment(robot, *trajectory, 0), end = moment(robot, *trajectory, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(start.q[k], poses[0][k]);
    EXPECT_NEAR(end.q[k], poses[3][k], 1e-14);
    EXPECT_EQ(start.v[k], 0);
    EXPECT_NEAR(end.v[k], 0, 1e-13);
  }
  // On the second leg: as if straight from pose to pose.
  const Moment on = moment(robot, *trajectory, 0.95);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(on.v[k], (poses[2][k] - poses[1][k]) / 0.9, 1e-13);
    EXPECT_NEAR(on.q[k], (poses[1][k] + poses[2][k]) / 2, 1e-13);
    EXPECT_EQ(on.a[k], 0);
  }
  for (const double t : {0.1, 0.3, 0.5, 0.95, 1.4, 1.9}) expect_derivatives(robot, *trajectory, t);
  EXPECT_THROW(joint_blends(robot, poses, times, 0.5), Error);
  // At the ends a whole blend lies in the leg, elsewhere half of one.
  const std::vector<std::vector<double>> three(poses.begin(), poses.begin() + 3);
  EXPECT_THROW(joint_blends(robot, three, {0, 1, 1.5}, 0.4), Error);
  EXPECT_THROW(joint_blends(robot, three, {0, 0.5, 1.5}, 0.4), Error);
  EXPECT_NO_THROW(joint_blends(robot, three, {0, 0.6, 1.2}, 0.4));
  EXPECT_NO_THROW(joint_blends(robot, poses, {0, 1, 1.4, 2.4}, 0.4));
}

TEST(JointSpline, RefusesQuaternionsWithARemedy) {
  const Robot robot = single("spherical");
  try {
    joint_spline(robot, {{0, 0, 0, 1}, {0, 0, 1, 0}}, {0, 1}, Smoothness::cubic);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'j' has a quaternion"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("stop = true"), std::string::npos);
  }
}

TEST(Trajectory, SampledAtARateHasItsEnd) {
  const Robot robot = Robot::load("planar2");
  const TrajectoryPointer parts = sequence(
      {timed(joint_line(robot, poses[0], poses[1]), Profile::cubic(0.55)), standing(poses[1], 0.2),
       timed(joint_line(robot, poses[1], poses[2]), Profile::trapezoid(0.5, 0.1))});
  EXPECT_DOUBLE_EQ(parts->duration(), 1.25);
  const SampledTrajectory m = sampled(robot, *parts, 10);
  ASSERT_EQ(m.rows, 14u);
  EXPECT_DOUBLE_EQ(m.t[3], 0.3);
  EXPECT_DOUBLE_EQ(m.t[13], 1.25);
  EXPECT_EQ(row(robot, m, 0), poses[0]);
  EXPECT_EQ(row(robot, m, 6), poses[1]);
  EXPECT_NEAR(row(robot, m, 13)[0], poses[2][0], 1e-15);
  // An end that falls on the grid is one sample.
  EXPECT_EQ(sampled(robot, *parts, 8).rows, 11u);
  EXPECT_EQ(sampled(robot, *parts, 1000).rows, 1251u);
  EXPECT_EQ(sampled_evenly(robot, *parts, 201).rows, 201u);
  EXPECT_THROW(sampled(robot, *parts, 1e12), Error);
}

// Fewer samples than anyone minds counting, and a hundred gigabytes of them.
TEST(Trajectory, SamplesAreAsManyAsAnArrayMayHold) {
  const Robot robot = Robot::load("chain:12");
  const TrajectoryPointer day = standing(robot.neutral(), 86400);
  for (const bool by_parts : {false, true}) {
    const std::string refusal = complaint(
        [&] { by_parts ? sampled_by_parts(robot, *day, 11000) : sampled(robot, *day, 11000); });
    EXPECT_EQ(refusal,
              "8.64e+04 s at 1.1e+04 Hz are 9.5e+08 samples of 37 numbers, 262 GiB; the limit is 8 "
              "GiB; use a lower rate");
  }
  // Each of its parts has at least four steps, for any rate.
  auto parts = [](std::size_t n) {
    return sequence(std::vector<TrajectoryPointer>(n, standing({0, 0}, 1)));
  };
  EXPECT_EQ(sampled_by_parts(Robot::load("planar2"), *parts(1000), 1e-3).rows, 4001u);
  EXPECT_NE(complaint([&] {
              sampled_by_parts(Robot::load("chain:1000"), *parts(1'000'000), 1e-3);
            }).find("4e+06 samples"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
