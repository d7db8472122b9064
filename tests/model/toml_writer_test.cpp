// Robots written and read again are the same robots.

#include "model/format/toml/toml_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/format/builtin.hpp"
#include "model/format/load.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/lint/check.hpp"
#include "tests/layer.hpp"
#include "tests/model/every_friction_key.hpp"
#include "tests/model/same_robot.hpp"

namespace parid::test {
namespace {

TEST(TomlWriter, BuiltinRobotsComeBack) {
  for (const BuiltinRobot& robot : builtin_robots()) {
    std::string name = robot.name;
    if (name.ends_with(":N")) name.replace(name.size() - 1, 1, "4");
    const Description d = load_description(name);
    const Description again = parse_toml(to_toml(d), "again.toml");
    same_numbers(d, again);
    same_torques(d, again);
    EXPECT_TRUE(check(again).empty()) << name;
    EXPECT_EQ(to_toml(again), to_toml(d)) << name;  // nothing drifts
  }
}

TEST(TomlWriter, EveryKindOfJointComesBack) {
  Rng rng(4);
  for (const bool tips : {false, true}) {
    RandomRobot options;
    options.prismatic = options.planar = options.spherical = options.fixed = 0.5;
    options.tips = tips;
    options.floating_base = true;
    Description d = random_tree(rng, 14, options);
    d.joints.push_back(d.joints[1]);
    JointDescription& j = d.joints.back();
    j = JointDescription{};
    j.name = "quoted \"name\" \\ of\ta joint";
    j.type = JointType::revolute;
    j.parent = d.links[3].name;
    j.child = "follower";
    j.axis = {0, 1, 0};
    d.links.push_back({"follower", random_inertia(rng)});
    const Description again = parse_toml(to_toml(d), "again.toml");
    same_torques(d, again);
  }
}

TEST(TomlWriter, ATiltedAxisIsNotTakenForZ) {
  Description d = parse_toml(R"(convention = "standard"
[[joint]]
a = 0.3
alpha = 1.2
mass = 2
com = [-0.1, 0, 0.02]
inertia = [0.02, 0.03, 0.04]
[[joint]]
a = 0.2
d = 0.1
alpha = -0.4
mass = 1
com = [-0.1, 0.01, 0]
inertia = [0.01, 0.02, 0.02]
)",
                             "standard.toml");
  ASSERT_NE(to_toml(d).find("convention = \"standard\""), std::string::npos);
  d.joints[1].axis = {0.6, 0, 0.8};
  same_torques(d, parse_toml(to_toml(d), "again.toml"));
}

TEST(TomlWriter, EveryFrictionKeyComesBack) {
  const Description d = parse_toml(every_friction_key, "all.toml");
  ASSERT_TRUE(check(d).empty()) << check(d)[0].text();
  const Description again = parse_toml(to_toml(d), "again.toml");
  EXPECT_TRUE(again.remarks.empty());
  same_numbers(d, again);
  same_torques(d, again);
  EXPECT_EQ(to_toml(again), to_toml(d));
}

TEST(TomlWriter, UrdfBecomesToml) {
  const Description d = parse_urdf(R"(<robot name="arm">
    <link name="world"/>
    <link name="upper"><inertial><origin xyz="0.1 0 0.02" rpy="0 0 0.3"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
    <link name="finger"><inertial><mass value="0.2"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="thumb"><inertial><mass value="0.1"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/>
      <origin xyz="0 0 1" rpy="0.1 -0.2 1.5707963267948966"/><axis xyz="0 1 0"/>
      <limit lower="-2" upper="2" effort="30" velocity="1.5"/><dynamics damping="0.3" friction="0.2"/></joint>
    <joint name="grip" type="prismatic"><parent link="upper"/><child link="finger"/>
      <origin xyz="0.3 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="0.05" effort="10" velocity="1"/></joint>
    <joint name="oppose" type="prismatic"><parent link="upper"/><child link="thumb"/>
      <origin xyz="0.3 0 0"/><axis xyz="-1 0 0"/><limit lower="0" upper="0.05" effort="10" velocity="1"/>
      <mimic joint="grip" multiplier="1.5" offset="0.01"/></joint></robot>)",
                                   "arm.urdf");
  const Description again = parse_toml(to_toml(d, {{"converted"}, {{"grip", {"a note"}}}}), "a");
  same_numbers(d, again);
  same_torques(d, again);
  EXPECT_EQ(again.joints[2].mimic->multiplier, 1.5);
  EXPECT_EQ(again.joints[2].mimic->offset, 0.01);
}

// Numbers and angles of any size come back to the bit, and nothing is written as an integer that
// TOML need not keep.
TEST(TomlWriter, LargeNumbersAndAnglesComeBack) {
  Description d = load_description("planar2");
  for (const double x : {0x1p53, 0x1p53 + 2, 9.9e15, 9999999999999998.0, 1e16, 1e17, 1e300}) {
    JointDescription& j = d.joints[0];
    j.limits.effort = x;
    j.limits.velocity = x;
    j.limits.lower = -x;
    j.limits.upper = x;
    j.origin.p.x = x;
    const std::string text = to_toml(d);
    const Description again = parse_toml(text, "again.toml");
    same_numbers(d, again);
    EXPECT_EQ(again.joints[0].origin.p.x, x);
    const bool as_integer = text.find(fmt::format("effort = {:.0f}\n", x)) != text.npos;
    EXPECT_EQ(as_integer, x == 0x1p53) << text;
  }
}

}  // namespace
}  // namespace parid::test
