// Jerk and snap of trajectories against differences of their accelerations.

#include <gtest/gtest.h>

#include <cmath>

#include "motion/derive.hpp"
#include "motion/named_motions.hpp"
#include "motion/path/joint_path.hpp"
#include "motion/sine.hpp"
#include "motion/trajectory.hpp"
#include "parid/error.hpp"
#include "parid/trajectory.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

// At instants inside the parts, by differences of fourth order.
void expect_derivatives(const Robot& robot, const Trajectory& trajectory, double tolerance,
                        const std::string& name) {
  const std::size_t nv = robot.nv();
  std::vector<double> q(robot.nq()), v(nv), jerk(nv), snap(nv);
  std::vector<std::vector<double>> a(5, std::vector<double>(nv));
  const double end = trajectory.duration(), h = 1e-3 * end;
  double most_jerk = 0, most_snap = 0, off_jerk = 0, off_snap = 0;
  for (int i = 1; i < 20; ++i) {
    const double t = end * (i + 0.4) / 20.3;
    bool at_seam = false;
    for (const double seam : trajectory.seams()) at_seam |= std::abs(seam - t) < 3 * h;
    if (at_seam) continue;
    trajectory.higher(t, jerk, snap);
    for (int k = 0; k < 5; ++k)
      trajectory.at(t + (k - 2) * h, q, v, a[static_cast<std::size_t>(k)]);
    for (std::size_t k = 0; k < nv; ++k) {
      const double first = (8 * (a[3][k] - a[1][k]) - (a[4][k] - a[0][k])) / (12 * h);
      const double second =
          (16 * (a[3][k] + a[1][k]) - (a[4][k] + a[0][k]) - 30 * a[2][k]) / (12 * h * h);
      most_jerk = std::max(most_jerk, std::abs(first));
      most_snap = std::max(most_snap, std::abs(second));
      off_jerk = std::max(off_jerk, std::abs(first - jerk[k]));
      off_snap = std::max(off_snap, std::abs(second - snap[k]));
    }
  }
  EXPECT_LE(off_jerk, tolerance * most_jerk) << name;
  EXPECT_LE(off_snap, 100 * tolerance * most_snap) << name;
}

TEST(Higher, NamedMotionsHaveTheDerivativesOfTheirAccelerations) {
  const Robot arm = Robot::load("puma560");
  for (const char* name : {"default", "together", "in-turn", "circle", "lissajous"})
    expect_derivatives(arm, *named_motion(name).trajectory(arm), 1e-5, name);
  // Its parts are short beside the steps of the differences here.
  expect_derivatives(arm, *named_motion("pick-and-place").trajectory(arm), 2e-4, "pick-and-place");
}

TEST(Higher, PathsHaveTheDerivativesOfTheirAccelerations) {
  Rng rng(3);
  RandomRobot kind;
  kind.floating_base = true;
  kind.spherical = 0.5;
  const Robot free(random_tree(rng, 5, kind));
  const RandomState from = random_state(rng, free.description()),
                    to = random_state(rng, free.description());
  expect_derivatives(free, *timed(joint_line(free, from.q, to.q), Profile::minimum_jerk(2)), 1e-6,
                     "line");
  expect_derivatives(free, *named_motion("default").trajectory(free), 1e-5, "swings");
  const Robot arm = Robot::load("planar3");
  expect_derivatives(arm, *sine({0, 0, 0}, {0.3, 0.2, 0.1}, 3, 2), 1e-8, "sine");
  expect_derivatives(arm,
                     *joint_spline(arm, {{0, 0, 0}, {1, 0.5, -1}, {0.3, 0.2, 0.1}}, {0, 1, 2},
                                   Smoothness::minimum_jerk),
                     1e-6, "spline");
  std::vector<double> jerk(3, 1.0), snap(3, 1.0);
  standing({0, 1, 2}, 1)->higher(0.5, jerk, snap);
  EXPECT_EQ(jerk, std::vector<double>(3));
  EXPECT_EQ(snap, std::vector<double>(3));
}

TEST(Higher, PublicTrajectoriesRefuseWrongArguments) {
  const Robot arm = Robot::load("planar2");
  const PlannedTrajectory line = PlannedTrajectory::line(arm, {0, 0}, {1, 1}, 2);
  std::vector<double> two(2), other(2), three(3);
  line.higher(0, two, other);
  EXPECT_NEAR(two[0], 60.0 / 8, 1e-12);       // 60 / T³ of a minimum-jerk motion
  EXPECT_NEAR(other[0], -360.0 / 16, 1e-12);  // -360 / T⁴
  EXPECT_THROW(line.higher(0, three, two), std::invalid_argument);
  EXPECT_THROW(line.higher(3, two, other), std::invalid_argument);
}

// Splines through samples, and the place where an acceleration jumps.
TEST(Higher, SamplesAreDifferentiatedBySplinesAndJumpsAreFound) {
  const Robot arm = Robot::load("planar2");
  const auto wave = sine({0, 0}, {0.3, 0.2}, 3, 2);
  const SampledTrajectory m = sampled(arm, *wave, 200);
  const HigherDerivatives exact = higher_derivatives(*wave, m), splines = higher_derivatives(m);
  for (std::size_t k = 40; k + 40 < m.a.size(); ++k) {
    EXPECT_NEAR(splines.jerk[k], exact.jerk[k], 1e-5);
    EXPECT_NEAR(splines.snap[k], exact.snap[k], 1e-2);
  }
  EXPECT_LT(exact.jump, 1e-6);
  const auto ramps = timed(joint_line(arm, {0, 0}, {1, 1}), Profile::trapezoid(2, 0.5));
  const HigherDerivatives jumps = higher_derivatives(*ramps, sampled(arm, *ramps, 50));
  EXPECT_GT(jumps.jump, 0.9);
  // Few samples of a smooth motion are no jump, and they hide none.
  const HigherDerivatives few = higher_derivatives(*wave, sampled(arm, *wave, 2));
  EXPECT_LT(few.jump, 1e-3);
  EXPECT_GT(higher_derivatives(*ramps, sampled(arm, *ramps, 3)).jump, 0.9);
  SampledTrajectory short_one = sampled_evenly(arm, *wave, 3);
  EXPECT_THROW(higher_derivatives(short_one), Error);
  short_one.t.clear();
  EXPECT_THROW(higher_derivatives(short_one), Error);
}

}  // namespace
}  // namespace parid::test
