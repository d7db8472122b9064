#include "motion/named_motions.hpp"

#include <gtest/gtest.h>

#include "motion/dhanaraj_line.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/layer.hpp"
#include "tests/motion/course_check.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

// The motion recovered from the printed torques of Table 3.5, to six digits.
TEST(DhanarajMotion, PassesTheRecoveredStateAtSixTenths) {
  const Robot robot = Robot::load("puma560-positioning");
  const Moment m = moment(robot, *dhanaraj_line(robot), 0.6);
  const double q[] = {-0.529744, -1.143094, 0.923217}, v[] = {1.105186, -1.341852, 0.177368},
               a[] = {0.862853, 0.238617, -2.136609};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(m.q[k], q[k], 5.1e-7);
    EXPECT_NEAR(m.v[k], v[k], 5.1e-7);
    EXPECT_NEAR(m.a[k], a[k], 5.1e-7);
  }
}

TEST(DhanarajMotion, IsAStraightLineInItsOwnLengths) {
  const Robot robot = Robot::load("puma560-positioning");
  const TrajectoryPointer trajectory = dhanaraj_line(robot);
  for (int k = 0; k <= 100; ++k) {
    const double t = 0.02 * k;
    const std::vector<double> q = moment(robot, *trajectory, t).q;
    // Program D.1.3's own forward kinematics.
    const double c1 = std::cos(q[0]), s1 = std::sin(q[0]), c2 = std::cos(q[1]), s2 = std::sin(q[1]),
                 c23 = std::cos(q[1] + q[2]), s23 = std::sin(q[1] + q[2]);
    const double along = 0.4318 * c2 - 0.4318 * s23;
    const double x = along * c1 - 0.127 * s1, y = along * s1 + 0.127 * c1,
                 z = -0.4318 * c23 - 0.4318 * s2;
    EXPECT_NEAR(x, 0.3, 1e-12);
    EXPECT_NEAR(y, z, 1e-12);
    if (k == 0) {
      EXPECT_NEAR(z, -0.2, 1e-12);
    }
    if (t < 0.22 || t > 1.78) continue;
    EXPECT_NEAR(z, -0.0285 + 0.35 * (t - 0.6), 1e-12);
  }
  for (const double t : {0.1, 0.31, 0.6, 1.5, 1.9}) expect_derivatives(robot, *trajectory, t, 1e-6);
  EXPECT_NEAR(moment(robot, *trajectory, 2.0).v[0], 0, 1e-12);
}

// As program D.1.3 has points and program D.4 rows of torques: 201 of them, 0.01 s apart.
TEST(DhanarajMotion, HasTheSamplesOfTheThesisPrograms) {
  const Robot robot = Robot::load("puma560-positioning");
  const TrajectoryPointer trajectory = dhanaraj_line(robot);
  EXPECT_EQ(trajectory->duration(), 2.0);
  const SampledTrajectory t = sampled_evenly(robot, *trajectory, named_motion("dhanaraj").samples);
  ASSERT_EQ(t.rows, 201u);
  EXPECT_NEAR(t.t[60], 0.6, 1e-15);
}

TEST(DhanarajMotion, LeavesAWristWhereItIs) {
  const Robot robot = Robot::load("puma560");
  const Moment m = moment(robot, *dhanaraj_line(robot), 0.6);
  const Robot short_one = Robot::load("puma560-positioning");
  const Moment alone = moment(short_one, *dhanaraj_line(short_one), 0.6);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(m.q[k], k < 3 ? alone.q[k] : robot.neutral()[k]);
    EXPECT_EQ(m.v[k], k < 3 ? alone.v[k] : 0);
    EXPECT_EQ(m.a[k], k < 3 ? alone.a[k] : 0);
  }
}

TEST(DhanarajMotion, IsForPumasAlone) {
  for (const char* name : {"planar3", "stanford-3", "scara", "ur5", "panda", "stanford"})
    EXPECT_THROW(dhanaraj_line(Robot::load(name)), Error) << name;
}

TEST(NamedMotions, EachIsAMotionFromRestToRest) {
  for (const NamedMotion& named : named_motions()) {
    const Robot robot =
        Robot::load(std::string(named.name) == "dhanaraj" ? "puma560-positioning" : "puma560");
    const TrajectoryPointer trajectory = named.trajectory(robot);
    const SampledTrajectory m = sampled_evenly(robot, *trajectory, named.samples);
    EXPECT_EQ(m.rows, 201u);
    EXPECT_TRUE(broken_limits(robot, m, std::vector<double>(m.v.size())).empty()) << named.name;
    for (const double t : {0.13, 0.71, 1.05})
      expect_derivatives(robot, *trajectory, t * trajectory->duration() / 1.2, 1e-6);
    for (int k = 0; k < robot.nv(); ++k) {
      EXPECT_NEAR(m.v[k], 0, 1e-15);
      EXPECT_NEAR(m.v[(m.rows - 1) * robot.nv() + k], 0, 1e-12);
    }
  }
  EXPECT_EQ(&named_motion("thesis"), &named_motion("dhanaraj"));  // its older name
  try {
    named_motion("dhanraj");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'dhanaraj'?"), std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("default, in-turn, dhanaraj"), std::string::npos);
  }
}

}  // namespace
}  // namespace parid::test
