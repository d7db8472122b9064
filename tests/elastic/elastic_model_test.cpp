// Elastic joints in robot files: read, checked, written, and changed in memory.

#include <gtest/gtest.h>

#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/lint/check.hpp"
#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"
#include "parid/error.hpp"
#include "tests/elastic/elastic_robots.hpp"

namespace parid::test {
namespace {

std::string arm(const std::string& lines, const std::string& type = "revolute") {
  return "convention = \"modified\"\n\n[[joint]]\nname = \"j\"\ntype = \"" + type +
         "\"\nmass = 2\ninertia = [1, 1, 1]\n" + lines;
}
std::string refusal(const std::string& lines, const std::string& type = "revolute") {
  try {
    Robot::from_text(arm(lines, type), {.format = RobotFormat::toml}, "arm.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
std::vector<std::string> codes(const Description& d) {
  std::vector<std::string> all;
  for (const Finding& f : check(d)) all.push_back(f.code);
  return all;
}

TEST(ElasticModel, IsReadAndWrittenAsItIs) {
  const Description d = parse_toml(
      arm("rotor_inertia = 0.5\nelastic = {stiffness = 1.5e4, damping = 2.5}\n"), "arm.toml");
  EXPECT_TRUE(d.remarks.empty());
  EXPECT_TRUE(codes(d).empty());
  ASSERT_TRUE(d.joints[0].elastic);
  EXPECT_EQ(d.joints[0].elastic->stiffness, 1.5e4);
  EXPECT_EQ(d.joints[0].elastic->damping, 2.5);
  EXPECT_EQ(d.joints[0].elastic_line, 9);
  const Description again = parse_toml(to_toml(d), "again.toml");
  ASSERT_TRUE(again.joints[0].elastic);
  EXPECT_EQ(again.joints[0].elastic->stiffness, 1.5e4);
  EXPECT_EQ(again.joints[0].elastic->damping, 2.5);
  EXPECT_EQ(again.joints[0].rotor_inertia, 0.5);
  // Beside a URDF file, which has no elasticity.
  EXPECT_NE(to_toml_beside(d, "arm.urdf").find("elastic = {stiffness = 15000"), std::string::npos);
}

TEST(ElasticModel, ImpossibleValuesAreRefusedWithTheirLine) {
  EXPECT_NE(refusal("elastic = {stiffness = -3}\n").find("arm.toml:8"), std::string::npos);
  EXPECT_NE(refusal("elastic = {stiffness = -3}\n").find("negative"), std::string::npos);
  EXPECT_NE(refusal("elastic = {damping = 3}\n").find("no stiffness"), std::string::npos);
  EXPECT_NE(refusal("elastic = {stiffness = 3, damping = -1}\n").find("damping is negative"),
            std::string::npos);
  EXPECT_NE(refusal("elastic = {stiffness = 3}\n", "spherical").find("cannot have elastic"),
            std::string::npos);
  const Description soft = parse_toml(arm("elastic = {stiffness = 3, dumping = 1}\n"), "arm.toml");
  ASSERT_EQ(soft.remarks.size(), 1u);  // a misspelt key
  EXPECT_NE(soft.remarks[0].message.find("dumping"), std::string::npos);
}

TEST(ElasticModel, ChecksFindMissingRotorsAndWrongNumbers) {
  Description d = parse_toml(arm("elastic = {stiffness = 1.5e4}\n"), "arm.toml");
  EXPECT_EQ(codes(d), std::vector<std::string>{"elastic-without-rotor"});
  EXPECT_THROW(ElasticDynamics{Robot(d)}, Error);
  d.joints[0].rotor_inertia = 1;
  EXPECT_TRUE(codes(d).empty());
  d.joints[0].elastic->stiffness = 0;
  EXPECT_EQ(codes(d), std::vector<std::string>{"impossible-elasticity"});
  d.joints[0].elastic = Elasticity{1, -1};
  EXPECT_EQ(codes(d), std::vector<std::string>{"impossible-elasticity"});
  d.joints[0].elastic = Elasticity{INFINITY, 0};
  EXPECT_EQ(codes(d), std::vector<std::string>{"not-finite"});
}

TEST(ElasticModel, RobotsAreChangedInMemory) {
  const Robot robot = elastic_tree();
  const std::vector<ElasticJoint> joints = robot.elastic_joints();
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints[0].joint, "l elbow");
  EXPECT_EQ(joints[0].velocity, 1);
  EXPECT_EQ(joints[0].rotor_inertia, 0.1);
  EXPECT_EQ(joints[1].damping, 0);
  EXPECT_TRUE(robot.without_elasticity().elastic_joints().empty());
  EXPECT_TRUE(robot.without_rotors().elastic_joints().empty());
  EXPECT_EQ(robot.with_locked({{"l elbow", 0.3}}).elastic_joints().size(), 1u);
  EXPECT_THROW(robot.with_elasticity({{"elbow", {1, 0}}}), Error);
  EXPECT_THROW(robot.with_elasticity({{"l elbow", {0, 0}}}), Error);
  EXPECT_THROW(robot.with_elasticity({{"stand", {1, 0}}}), Error);  // fixed
  EXPECT_THROW(robot.with_spinning_rotors().with_motors(), Error);
  EXPECT_THROW(robot.without_elasticity().with_motors(), Error);
  const Robot motors = robot.with_motors();
  EXPECT_EQ(motors.nv(), 5);
  EXPECT_EQ(motors.velocity_names()[3], "l elbow.motor");
  EXPECT_EQ(motors.tip(), robot.tip());
}

// The robot itself remains rigid in every other quantity, rotors included.
TEST(ElasticModel, OtherQuantitiesAreThoseOfRigidJoints) {
  const Robot robot = elastic_tree(), rigid = robot.without_elasticity();
  Workspace a(robot), b(rigid);
  const std::vector<double> q{0.1, 0.2, 0.3}, v{1, -1, 0.5}, acc{3, 2, 1};
  std::vector<double> x(3), y(3);
  inverse_dynamics(robot, a, q, v, acc, x);
  inverse_dynamics(rigid, b, q, v, acc, y);
  EXPECT_EQ(x, y);
}

}  // namespace
}  // namespace parid::test
