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

// On robots that are not built in: offset base, odd names, a tree with mimic joints, prismatic
// joints, right-handed and left-handed axes.
TEST(WorkMotions, KeepLimitsOnOtherRobots) {
  const std::string arm =
      "name = 'odd'\n[[joint]]\nname = 'p-1'\nxyz = [0.3, -0.2, 0.5]\naxis = [0, 0, -1]\nlower = "
      "-2\nupper = 2.5\nvelocity = 0.7\neffort = 90\n" +
      body_text +
      "[[joint]]\nname = 'p-2'\nxyz = [0, 0, 0.2]\naxis = [0, 1, 0]\nlower = -1\nupper = "
      "1.4\nvelocity = 2\neffort = 80\n" +
      body_text +
      "[[joint]]\nname = 'p-3'\nxyz = [0.4, 0, 0]\naxis = [0, -1, 0]\nlower = -2\nupper = "
      "0\nvelocity = 1.5\neffort = 60\n" +
      body_text + "[[joint]]\nname = 'tool'\ntype = 'fixed'\nxyz = [0.4, 0, 0]\n" + body_text;
  for (const Robot& robot : {robot_of(arm), Robot::load("scara"), Robot::load("panda"),
                             Robot::load("ur5"), Robot::load("planar2"), Robot::load("stanford")})
    for (const char* name : {"pick-and-place", "circle", "lissajous"}) {
      const TrajectoryPointer trajectory = named_motion(name).trajectory(robot);
      const SampledTrajectory m = sampled_evenly(robot, *trajectory, 501);
      std::vector<double> tau(m.v.size());
      Workspace workspace(robot);
      const auto nq = static_cast<std::size_t>(robot.nq()),
                 nv = static_cast<std::size_t>(robot.nv());
      for (std::size_t r = 0; r < m.rows; ++r)
        inverse_dynamics(robot, workspace, std::span(m.q).subspan(r * nq, nq),
                         std::span(m.v).subspan(r * nv, nv), std::span(m.a).subspan(r * nv, nv),
                         std::span(tau).subspan(r * nv, nv));
      for (const LimitBreak& b : broken_limits(robot, m, tau))
        ADD_FAILURE() << robot.name() << " " << name << ": " << b.kind << " of " << b.coordinate
                      << " is " << b.value << " past " << b.limit;
      for (const double share : {0.03, 0.21, 0.47, 0.83})
        expect_derivatives(robot, *trajectory, share * trajectory->duration(), 1e-5);
      // Joints can be told apart: no two velocities are in proportion.
      if (std::string(name) != "lissajous") continue;
      for (std::size_t i = 0; i < nv; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          double ii = 0, ij = 0, jj = 0;
          for (std::size_t r = 0; r < m.rows; ++r) {
            const double x = m.v[r * nv + i], y = m.v[r * nv + j];
            ii += x * x;
            ij += x * y;
            jj += y * y;
          }
          EXPECT_LT(std::abs(ij), 0.5 * std::sqrt(ii * jj)) << robot.name() << i << j;
        }
    }
}

TEST(WorkMotions, GaitIsForLegs) {
  const Robot robot = Robot::load("quadruped");
  const SampledTrajectory m = sampled_evenly(robot, *named_motion("gait").trajectory(robot), 101);
  const auto nv = static_cast<std::size_t>(robot.nv());
  int moving = 0;
  for (std::size_t k = 0; k < nv; ++k) {
    double most = 0;
    for (std::size_t r = 0; r < m.rows; ++r) most = std::max(most, std::abs(m.v[r * nv + k]));
    if (k < 6) {
      EXPECT_EQ(most, 0) << "the base stands still";
    }
    moving += most > 0.01;
  }
  EXPECT_EQ(moving, 12);
  EXPECT_THROW(named_motion("gait").trajectory(Robot::load("ur5")), Error);
  EXPECT_THROW(named_motion("gait").trajectory(Robot::load("ur5", {.floating = true})), Error);
}

TEST(NamedMotions, EachIsAMotionFromRestToRest) {
  for (const NamedMotion& named : named_motions()) {
    const std::string which = named.name;
    const Robot robot = Robot::load(which == "dhanaraj" ? "puma560-positioning"
                                    : which == "gait"   ? "quadruped"
                                                        : "puma560");
    const TrajectoryPointer trajectory = named.trajectory(robot);
    const SampledTrajectory m = sampled_evenly(robot, *trajectory, named.samples);
    EXPECT_EQ(m.rows, which == "lissajous" ? 401u : 201u);
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
    EXPECT_NE(std::string(e.what()).find("default, together, in-turn, dhanaraj"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace parid::test
