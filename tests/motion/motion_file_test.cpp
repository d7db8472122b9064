#include "motion/file/motion_file.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <numbers>

#include "parid/kinematics.hpp"
#include "runtime/kinematics/link_pose.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/motion/course_check.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

const std::string ur5_start = "start = [0.1, -1.2, 1.4, -0.6, 1.2, 0.3]\n";

TEST(MotionFile, MovesFollowEachOther) {
  const Robot robot = Robot::load("ur5");
  const MotionFile file = parse_motion(robot,
                                       "rate = 50\n" + ur5_start +
                                           R"(
[[move]]
kind = "joint"
to = {shoulder_pan = "20 deg", elbow = 1.2}
duration = 1.5
[[move]]
kind = "wait"
duration = 0.25
[[move]]
kind = "line"
by = [-0.05, 0.1, 0.05]
speed = 0.2
profile = "trapezoid"
acceleration = 1
[[move]]
kind = "arc"
through = [0.3, 0.2, 0.4]
to = [0.35, 0.25, 0.35]
orientation = "free"
duration = 2
[[move]]
kind = "via"
through = [[0.2, -1.3, 1.3, -0.5, 1.1, 0.2], [0, "-70 deg", "80 deg", 0, 1, 0]]
duration = 3
[[move]]
kind = "via"
through = [[0.2, -1.3, 1.3, -0.5, 1.1, 0.2], [0, "-70 deg", "80 deg", 0, 1, 0]]
times = [0.5, 1.5]
profile = "trapezoid"
blend = 0.2
)",
                                       "m.toml");
  EXPECT_EQ(file.rate, 50);
  // A line of √(0.05² + 0.1² + 0.05²) m at 0.2 m/s and 1 m/s²: L/V + V/A.
  const double line = std::sqrt(0.015) / 0.2 + 0.2;
  EXPECT_NEAR(file.trajectory->duration(), 1.5 + 0.25 + line + 2 + 3 + 1.5, 1e-12);

  // No jumps, and derivatives that are derivatives.
  const SampledTrajectory m = sampled(robot, *file.trajectory, 2000);
  for (std::size_t r = 1; r < m.rows; ++r)
    for (int k = 0; k < 6; ++k) ASSERT_NEAR(m.q[r * 6 + k], m.q[(r - 1) * 6 + k], 4e-3) << m.t[r];
  for (const double t : {0.4, 1.6, 2.0, 3.5, 6.2, 8.0})
    expect_derivatives(robot, *file.trajectory, t, 2e-6);

  const Moment after = moment(robot, *file.trajectory, 1.6);
  EXPECT_NEAR(after.q[0], std::numbers::pi / 9, 1e-14);
  EXPECT_NEAR(after.q[1], -1.2, 1e-14);
  const auto before = link_pose(robot, after.q, robot.tip()).position;
  const auto moved = link_pose(robot, moment(robot, *file.trajectory, 1.75 + line).q, robot.tip());
  EXPECT_NEAR(moved.position[0], before[0] - 0.05, 1e-12);
  EXPECT_NEAR(moved.position[1], before[1] + 0.1, 1e-12);
  const auto arc = link_pose(robot, moment(robot, *file.trajectory, 3.75 + line).q, robot.tip());
  EXPECT_NEAR(arc.position[0], 0.35, 1e-12);
  EXPECT_NEAR(moment(robot, *file.trajectory, file.trajectory->duration()).q[1],
              -70 * std::numbers::pi / 180, 1e-12);
}

TEST(MotionFile, SpeedOfJointsIsAShareOfTheirLimits) {
  const Robot robot = Robot::load("planar2");  // 3 rad/s each
  for (const char* profile : {"minimum-jerk", "cubic", "trapezoid", "constant"}) {
    const TrajectoryPointer trajectory =
        parse_motion(
            robot,
            fmt::format("start = [0, 0]\n[[move]]\nkind = 'joint'\nto = [1, -0.5]\nspeed = "
                        "0.5\nprofile = '{}'\n",
                        profile),
            "m.toml")
            .trajectory;
    double most = 0;
    for (int k = 0; k <= 1000; ++k)
      most = std::max(most, moment(robot, *trajectory, trajectory->duration() * k / 1000).v[0]);
    EXPECT_NEAR(most, 1.5, 1e-5) << profile;
  }
}

// 1 rad at half of 3 rad/s, and one ramp more; too short a way for that is two ramps.
TEST(MotionFile, SpeedOfJointsAfterRamps) {
  const Robot robot = Robot::load("planar2");
  for (const auto& [way, ramp, duration] :
       {std::tuple{1.0, 0.25, 2.0 / 3 + 0.25}, std::tuple{0.1, 0.5, 1.0}}) {
    const TrajectoryPointer trajectory =
        parse_motion(robot,
                     fmt::format("start = [0, 0]\n[[move]]\nkind = 'joint'\nto = [{}, 0]\nspeed = "
                                 "0.5\nprofile = 'trapezoid'\nramp = {}\n",
                                 way, ramp),
                     "m.toml")
            .trajectory;
    EXPECT_NEAR(trajectory->duration(), duration, 1e-12);
  }
}

TEST(MotionFile, JointMovesCanEndWhereALinkShould) {
  const Robot robot = Robot::load("puma560");
  for (const char* rpy : {"", "rpy = [0.1, \"90 deg\", 0.2]\n"}) {
    const TrajectoryPointer trajectory =
        parse_motion(robot,
                     std::string("start = [0.2, -0.8, 0.5, 0.3, 0.9, -0.2]\n[[move]]\nkind = "
                                 "'joint'\nreach = [0.5, 0.2, 0.1]\nduration = 1\n") +
                         rpy,
                     "m.toml")
            .trajectory;
    const LinkPose end = link_pose(robot, moment(robot, *trajectory, 1).q, robot.tip());
    EXPECT_NEAR(end.position[0], 0.5, 1e-8);
    EXPECT_NEAR(end.position[1], 0.2, 1e-8);
    EXPECT_NEAR(end.position[2], 0.1, 1e-8);
    const auto want = LinkPose::from_rpy({}, {0.1, std::numbers::pi / 2, 0.2}).rotation;
    for (int k = 0; k < 9 && *rpy; ++k) EXPECT_NEAR(end.rotation[k], want[k], 1e-8);
  }
}

TEST(MotionFile, QuaternionsTakePart) {
  const Robot robot = everything();
  const TrajectoryPointer trajectory =
      parse_motion(robot,
                   "[[move]]\nkind = 'joint'\nduration = 1\n"
                   "to = {'ball.qx' = 0.6, 'ball.qw' = 0.8, 'free.z' = 0.2}\n",
                   "m.toml")
          .trajectory;
  EXPECT_NEAR(moment(robot, *trajectory, 0.5).v[6], 1.875 * 2 * std::atan2(0.6, 0.8), 1e-12);
  expect_derivatives(robot, *trajectory, 0.3);
}

// Nothing is timed here; were each name searched for among the joints, this would take many
// minutes.
TEST(MotionFile, ManyJointsByNameTakeTimeInProportion) {
  const Robot robot = Robot::load(instrumented ? "chain:5000" : "chain:100000");
  std::string all;
  for (const std::string& name : robot.position_names()) all += name + " = 1, ";
  all = "{" + all.substr(0, all.size() - 2) + "}\n";
  std::string text = "start = " + all;
  for (int k = 0; k < 10; ++k) text += "[[move]]\nkind = 'joint'\nduration = 1\nto = " + all;
  EXPECT_EQ(parse_motion(robot, text, "m.toml").trajectory->duration(), 10);
}

// Thirty bytes of a file require the positions of twenty thousand joints.
TEST(MotionFile, MovesKeepNoMoreThanAnArrayMayHold) {
  const Robot robot = Robot::load("chain:20000");
  auto refusal = [&](const std::string& move, int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += "[[move]]\n" + move + "\n";
    return complaint([&] { parse_motion(robot, text, "m.toml"); });
  };
  EXPECT_EQ(refusal("kind = 'wait'\nduration = 1", 20), "");
  EXPECT_EQ(refusal("kind = 'wait'\nduration = 1", 20'000),
            "m.toml:1: 20000 moves of robot 'chain:20000' with 20000 positions need 8.94 GiB; the "
            "limit is 8 GiB; split the motion");
  EXPECT_NE(refusal("kind = 'line'\nby = [0, 0, 0.1]\nduration = 1", 220).find("8.43 GiB"),
            std::string::npos);
}

TEST(MotionFile, RefusesWithLineAndRemedy) {
  const Robot robot = Robot::load("planar2");
  auto refusal = [&](const std::string& text) -> std::string {
    try {
      parse_motion(robot, text, "m.toml");
    } catch (const Error& e) {
      return e.what();
    }
    return "accepted";
  };
  const struct {
    const char *text, *line, *part;
  } cases[] = {
      {"", "m.toml: ", "[[move]]"},
      {"move = 3\n", "m.toml:1: ", "double brackets"},
      {"strat = [0, 0]\n", "m.toml:1: ", "did you mean 'start'?"},
      {"rate = -5\n[[move]]\n", "m.toml:1: ", "rate is -5"},
      {"start = [0]\n[[move]]\n", "m.toml:1: ", "joint1, joint2"},
      {"start = {joint3 = 1}\n[[move]]\n", "m.toml:1: ", "did you mean"},
      {"[[move]]\nduration = 1\n", "m.toml:1: ", "move 1: the move has no kind"},
      {"[[move]]\nkind = 'jont'\n", "m.toml:2: ", "\"joint\", \"via\""},
      {"[[move]]\nkind = 'joint'\nspeeed = 1\n", "m.toml:3: ", "did you mean 'speed'?"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\n",
       "m.toml:1: ", "the duration of the move is missing"},
      {"[[move]]\nkind = 'joint'\nduration = 1\n", "m.toml:1: ", "the end of the move is missing"},
      {"[[move]]\nkind = 'joint'\nto = [1, 'x']\nduration = 1\n", "m.toml:3: ", "not an angle"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nduration = 0\n", "m.toml:4: ", "above zero"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nspeed = 2\n",
       "m.toml:4: ", "exceeds the joints' velocity limits"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nspeed = 1\nduration = 1\n",
       "m.toml:4: ", "omit one"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nduration = 1\nramp = 0.1\n",
       "m.toml:5: ", "trapezoid"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nduration = 1\nprofile = 'trapezoid'\nramp = 0.6\n",
       "m.toml:6: ", "do not fit"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nduration = 5\nprofile = 'trapezoid'\nramp = 3\n",
       "m.toml:6: ", "two ramps of 3 s do not fit into 5 s"},
      {"[[move]]\nkind = 'joint'\nto = {shoulder = 1}\nduration = 1\n",
       "m.toml:3: ", "has no joint 'shoulder'; its joints are joint1, joint2"},
      {"[[move]]\nkind = 'joint'\nto = {jiont2 = 1}\nduration = 1\n",
       "m.toml:3: ", "has no joint 'jiont2'; did you mean 'joint2'? its joints are"},
      {"[[move]]\nkind = 'wait'\nduration = 1e300\n",
       "m.toml:3: ", "duration gives a duration of 1e+300 s"},
      {"[[move]]\nkind = 'via'\nthrough = [[1, 1]]\ntimes = [1e300]\n",
       "m.toml:4: ", "times gives a duration of 1e+300 s"},
      {"[[move]]\nkind = 'joint'\nto = [1, 1]\nspeed = 1e-320\n",
       "m.toml:4: ", "the limit is one day"},
      {"start = [0.3, 1.2]\n[[move]]\nkind = 'line'\nby = [-0.1, 0, 0.1]\norientation = "
       "'free'\nspeed = "
       "1e-320\n",
       "m.toml:6: ", "speed gives a duration of inf s; the limit is one day"},
      {"start = [0.3, 1.2]\n[[move]]\nkind = 'line'\nby = [-0.1, 0, 0.1]\norientation = 'free'\n"
       "acceleration = 1e-20\n",
       "m.toml:6: ", "acceleration gives a duration of"},
      {"[[move]]\nkind = 'wait'\nduration = 1\nlink = 'link1'\n",
       "m.toml:4: ", "is not allowed in a move"},
      {"[[move]]\nkind = 'via'\nthrough = [[1, 1], [2]]\nduration = 1\n", "m.toml:3: ", "1 entry"},
      {"[[move]]\nkind = 'via'\nthrough = [[1, 1], [2, 0]]\ntimes = [2, 1]\n",
       "m.toml:4: ", "2 is followed by 1"},
      {"[[move]]\nkind = 'via'\nthrough = [[1, 1], [2, 0]]\nduration = 1\nprofile = "
       "'trapezoid'\nblend = 3\n",
       "m.toml:1: ", "do not fit"},
      {"[[move]]\nkind = 'line'\nduration = 1\n", "m.toml:1: ", "to or by"},
      {"[[move]]\nkind = 'line'\nto = [1, 0, 0]\nlink = 'link9'\nduration = 1\n",
       "m.toml:1: ", "link9"},
      {"[[move]]\nkind = 'line'\nby = [9, 0, 0]\nlink = 'link2'\npoint = [1, 0, 0]\nduration = 1\n",
       "m.toml:1: ", "orientation"},
      {"start = [0.3, 1]\n[[move]]\nkind = 'wait'\nduration = 5\n[[move]]\nkind = 'line'\nby = [9, "
       "0, "
       "0]\npoint = [1, 0, 0]\nduration = 1\norientation = 'free'\n",
       "m.toml:5: ", "move 2: at t = 5."},
      {"[[move]]\nkind = 'joint'\nreach = [9, 0, 0]\nduration = 1\n", "m.toml:3: ", "move 1: "},
      {"[[move]]\nkind = 'joint'\nreach = [1, 0, 0]\nto = [0, 0]\nduration = 1\n",
       "m.toml:3: ", "omit one"},
      {"[[move]]\nkind = 'arc'\nto = [1, 0, 0]\nduration = 1\n", "m.toml:1: ", "middle point"},
  };
  for (const auto& [text, line, part] : cases) {
    const std::string said = refusal(text);
    EXPECT_EQ(said.find(line), 0u) << text << "\n" << said;
    EXPECT_NE(said.find(part), std::string::npos) << text << "\n" << said;
  }
}

TEST(MotionFile, QuaternionsAreScaledToLengthOne) {
  const Robot robot = everything();
  auto read = [&](const std::string& qx, const std::string& qw) {
    return parse_motion(robot,
                        "[[move]]\nkind = 'joint'\nduration = 1\nto = {'ball.qx' = " + qx +
                            ", 'ball.qw' = " + qw + "}\n",
                        "m.toml");
  };
  const MotionFile unit = read("0.6", "0.8"), longer = read("0.63", "0.84");
  EXPECT_TRUE(unit.warnings.empty());
  ASSERT_EQ(longer.warnings.size(), 1u);
  EXPECT_EQ(longer.warnings[0],
            "m.toml:4: warning: the quaternion of joint 'ball' has length 1.05 instead of 1; "
            "normalized (order x, y, z, w)");
  for (const double t : {0.3, 1.0}) {
    const auto a = moment(robot, *unit.trajectory, t), b = moment(robot, *longer.trajectory, t);
    for (std::size_t k = 0; k < a.q.size(); ++k) EXPECT_NEAR(a.q[k], b.q[k], 1e-15);
    for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_NEAR(a.v[k], b.v[k], 1e-15);
  }
  const std::string none = complaint([&] { read("0", "0"); });
  EXPECT_NE(none.find("m.toml:4: "), none.npos) << none;
  EXPECT_NE(none.find("the quaternion of joint 'ball' has length 0 instead of 1"), none.npos)
      << none;
}

}  // namespace
}  // namespace parid::test
