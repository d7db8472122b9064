// `parid ik`, run as people run it.

#include <gtest/gtest.h>

#include <cmath>

#include "base/file/csv.hpp"
#include "parid/kinematics.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string text_of(const LinkPose& pose) {
  const auto q = pose.quaternion();
  std::string out;
  for (double x : {pose.position[0], pose.position[1], pose.position[2], q[0], q[1], q[2], q[3]}) {
    char number[40];
    std::snprintf(number, sizeof number, "%s%.17g", out.empty() ? "" : ",", x);
    out += number;
  }
  return out;
}
double difference(const LinkPose& a, const LinkPose& b) {
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k)
    most = std::max(most, std::abs(a.position[k] - b.position[k]));
  for (std::size_t k = 0; k < 9; ++k)
    most = std::max(most, std::abs(a.rotation[k] - b.rotation[k]));
  return most;
}

const std::vector<double> posture{-0.3, -1.1, 0.6, 0.4, 0.8, -0.2};

TEST(CliIk, AllBranchesOfAPoseLeadThere) {
  const Robot robot = Robot::load("puma560");
  const LinkPose pose = link_pose(robot, posture, "link6");
  const auto all = json_of("ik puma560 --pose " + text_of(pose) + " --all --json");
  EXPECT_EQ(all["solver"], "puma");
  ASSERT_EQ(all["solutions"].size(), 8u);
  bool itself = false;
  for (const auto& s : all["solutions"]) {
    const std::vector<double> q = s["q"];
    EXPECT_LT(difference(link_pose(robot, q, "link6"), pose), 1e-12);
    double off = 0;
    for (std::size_t k = 0; k < 6; ++k) off = std::max(off, std::abs(q[k] - posture[k]));
    itself |= off < 1e-9;
  }
  EXPECT_TRUE(itself);
  const Ran text = parid_line("ik puma560 --pose " + text_of(pose) + " --all");
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(contains(text.out, "within limits")) << text.out;
}

TEST(CliIk, TheSeedChoosesTheBranch) {
  const Robot robot = Robot::load("puma560");
  const LinkPose pose = link_pose(robot, posture, "link6");
  const auto one =
      json_of("ik puma560 --pose " + text_of(pose) + " --seed -0.3,-1,0.5,0.5,0.7,0 --json");
  ASSERT_EQ(one["solutions"].size(), 1u);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(one["solutions"][0]["q"][k].get<double>(), posture[k], 1e-9);
}

TEST(CliIk, OrientationsAsAnglesAndPositionsAlone) {
  const Robot robot = Robot::load("panda");
  const auto angles = json_of("ik panda --pose 0.4,0.1,0.5 --rpy 3.1,0.1,-0.2 --json");
  EXPECT_EQ(angles["solver"], "numeric");
  const std::vector<double> q = angles["solutions"][0]["q"];
  EXPECT_LT(difference(link_pose(robot, q, "link7"),
                       LinkPose::from_rpy({0.4, 0.1, 0.5}, {3.1, 0.1, -0.2})),
            1e-8);
  const auto position = json_of("ik panda --pose -0.4,0.1,0.5 --link link6 --json");
  EXPECT_EQ(position["oriented"], false);
  const LinkPose at =
      link_pose(robot, position["solutions"][0]["q"].get<std::vector<double>>(), "link6");
  EXPECT_NEAR(at.position[0], -0.4, 1e-8);
}

// A path of poses becomes a path of joints without jumps, in a file that `parid torque` reads.
TEST(CliIk, AFileOfPosesBecomesAMotion) {
  const Robot robot = Robot::load("panda");
  std::vector<double> q{0.1, -0.5, 0.2, -2.0, 0.1, 1.6, 0.5};
  std::string csv = "t,x,y,z,qx,qy,qz,qw\n";
  for (int n = 0; n < 30; ++n) {
    for (std::size_t k = 0; k < 7; ++k) q[k] += 0.01 * std::sin(0.2 * n + static_cast<double>(k));
    csv += std::to_string(0.05 * n) + "," + text_of(link_pose(robot, q, "link7")) + "\n";
  }
  Scratch scratch;
  const std::string poses = scratch.file("poses.csv", csv), joints = scratch.path("joints.csv");
  const Ran ran = parid_line("ik panda " + poses + " -o " + joints);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Table table = read_csv(joints);
  ASSERT_EQ(table.rows, 30u);
  EXPECT_EQ(table.columns[1], "q:joint1");
  for (std::size_t r = 1; r < table.rows; ++r)
    for (std::size_t k = 1; k <= 7; ++k)
      EXPECT_LT(std::abs(table.at(r, k) - table.at(r - 1, k)), 0.1);
  EXPECT_EQ(parid_line("torque panda " + joints + " --derive").code, 0);
  const Ran together = parid_line("ik panda - --independent --json", {.input = csv});
  EXPECT_EQ(together.code, 0) << together.err;
  EXPECT_EQ(nlohmann::json::parse(together.out)["solutions"].size(), 30u);
}

TEST(CliIk, NoIsSaidWithHowNearItCame) {
  const Ran far = parid_line("ik panda --pose 3,0,0.5");
  EXPECT_EQ(far.code, 1);
  EXPECT_TRUE(contains(far.err, "closest solution: position error 2.")) << far.err;
  const Ran closed = parid_line("ik puma560 --pose 3,0,0.5,0,0,0,1 --all --json");
  EXPECT_EQ(closed.code, 1);
  EXPECT_FALSE(nlohmann::json::parse(closed.out)["solutions"][0]["converged"]);
  const Ran row = parid_line("ik panda -", {.input = "x,y,z\n0.4,0,0.5\n9,0,0\n"});
  EXPECT_EQ(row.code, 1);
  EXPECT_TRUE(contains(row.err, ":3: no solution")) << row.err;
  EXPECT_EQ(std::count(row.out.begin(), row.out.end(), '\n'), 3);  // nothing that was found is lost
}

TEST(CliIk, MistakesAreNamed) {
  auto says = [](const std::string& line, const std::string& part, const std::string& input = "") {
    const Ran ran = parid_line(line, {.input = input});
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(contains(ran.err, part)) << line << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << line;
  };
  says("ik panda", "give either a pose");
  says("ik panda --pose 1,2", "2 numbers given");
  says("ik panda --pose 1,2,3,0,0,0,0", "the quaternion has length 0 instead of 1");
  says("ik panda --pose 1,2,3,0,0,0,1 --rpy 0,0,0", "without --rpy");
  says("ik panda --pose 0,0,1 --link hand", "has no link 'hand'");
  says("ik panda --pose 0,0,1 --seed 1,2", "has 7 positions");
  says("ik chain:7 --pose 0,0,1,0,0,0,1 --all", "no closed-form inverse kinematics");
  says("ik puma560 --pose 0,0,1 --all", "give an orientation");
  says("ik panda -", "unknown column 'quat'", "x,y,z,quat\n1,2,3,4\n");
  says("ik panda -", "give all of qx,qy,qz,qw", "x,y,z,qx\n1,2,3,4\n");
  says("ik panda -", "add x,y,z", "qx,qy,qz,qw\n0,0,0,1\n");
  says("ik panda -", ":2: the quaternion has length 0 instead of 1",
       "x,y,z,qx,qy,qz,qw\n1,2,3,0,0,0,0\n");
}

// Any length is a direction; one that rounding does not explain is said.
TEST(CliIk, QuaternionsAreScaledToLengthOne) {
  const std::string head = "ik puma560 --pose 0.4,0.1,0.3,";
  const Ran unit = parid_line(head + "0,0.6,0,0.8"), longer = parid_line(head + "0,0.63,0,0.84");
  EXPECT_EQ(unit.code, 0) << unit.err;
  EXPECT_EQ(longer.code, 0) << longer.err;
  const auto joints = [](const Ran& ran) {
    return ran.out.substr(0, ran.out.find("position error"));
  };
  EXPECT_EQ(joints(unit), joints(longer));
  EXPECT_FALSE(contains(unit.err, "warning"));
  EXPECT_TRUE(contains(longer.err,
                       "--pose: warning: the quaternion has length 1.05 instead of 1; normalized"))
      << longer.err;
  const Ran file =
      parid_line("ik puma560 -", {.input = "x,y,z,qx,qy,qz,qw\n0.4,0.1,0.3,0,0.6,0,0.8\n"
                                           "0.4,0.1,0.3,0,1.2,0,1.6\n0.4,0.1,0.3,0,3,0,4\n"});
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_TRUE(contains(file.err,
                       "standard input:3: warning: the quaternion has length 2 instead of 1 (and 1 "
                       "more that are not unit length); normalized"))
      << file.err;
}

}  // namespace
}  // namespace parid::test
