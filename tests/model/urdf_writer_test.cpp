// Robots written as URDF, with a TOML file for the rest, and read again are the same robots.

#include "model/format/urdf/urdf_writer.hpp"

#include <gtest/gtest.h>

#include "model/format/builtin.hpp"
#include "model/format/load.hpp"
#include "model/format/toml/toml.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/frame.hpp"
#include "model/lint/check.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/model/same_robot.hpp"

namespace parid::test {
namespace {

// As people would: both files in one folder, the second loaded where there is one.
Description written(const Description& d, std::vector<std::string>* notes = nullptr) {
  Scratch scratch;
  const UrdfText urdf = to_urdf(d, {"a -- comment --"});
  if (notes) *notes = urdf.notes;
  const std::string file = scratch.file("robot.urdf", urdf.text);
  const std::string beside = to_toml_beside(d, "robot.urdf", {{"what URDF cannot say"}, {}});
  return beside.empty() ? read_urdf(file) : read_toml(scratch.file("robot.toml", beside));
}

TEST(UrdfWriter, BuiltinRobotsComeBack) {
  for (const BuiltinRobot& robot : builtin_robots()) {
    std::string name = robot.name;
    if (name.ends_with(":N")) name.replace(name.size() - 1, 1, "6");
    SCOPED_TRACE(name);
    const Description d = load_description(name), again = written(d);
    EXPECT_TRUE(again.remarks.empty());
    for (const Finding& f : check(again)) ADD_FAILURE() << f.text();
    same_joints(d, again);
    same_torques(d, again);
    ASSERT_EQ(d.links.size(), again.links.size());
    for (std::size_t k = 0; k < d.links.size(); ++k)
      EXPECT_EQ(d.links[k].name, again.links[k].name);
    EXPECT_EQ(to_urdf(again).text, to_urdf(written(again)).text);  // nothing drifts
  }
}

// In one pass: with one for each pair of dashes this would take days.
TEST(UrdfWriter, CommentsOfNothingButDashes) {
  const Description d = load_description("planar2");
  EXPECT_NE(to_urdf(d, {"-- a---b\x1b -"}).text.find("<!-- - - a- - -b  - -->\n"),
            std::string::npos);
  const std::string urdf = to_urdf(d, {std::string(20'000'000, '-')}).text;
  EXPECT_GT(urdf.size(), 40'000'000u);
  EXPECT_EQ(urdf.find("--", urdf.find("<!--") + 4), urdf.find("-->"));
}

TEST(UrdfWriter, EveryKindOfJointComesBack) {
  Rng rng(4);
  for (const bool tips : {false, true}) {
    RandomRobot options;
    options.prismatic = options.planar = options.spherical = options.fixed = 0.5;
    options.tips = tips;
    options.floating_base = true;
    Description d = random_tree(rng, 20, options);
    d.joints[5].name = "a \"name\" & <more>\tof it";
    d.joints[5].gear_ratio = -3;
    std::vector<std::string> notes;
    same_torques(d, written(d, &notes));
    std::string all;
    for (const std::string& n : notes) all += n + "\n";
    EXPECT_NE(all.find("spherical, a type that URDF does not have"), all.npos) << all;
    EXPECT_EQ(all.find("link frames are placed at the joints") != all.npos, tips) << all;
  }
}

TEST(UrdfWriter, UrdfToTomlToUrdf) {
  const std::string urdf = to_urdf(parse_urdf(R"(<robot name="arm">
    <link name="world"/>
    <link name="upper"><inertial><origin xyz="0.1 0 0.02" rpy="0 0 0.3"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
    <link name="finger"><inertial><mass value="0.2"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="thumb"><inertial><mass value="0.1"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="shoulder" type="continuous"><parent link="world"/><child link="upper"/>
      <origin xyz="0 0 1" rpy="0.1 -0.2 1.5707963267948966"/><axis xyz="0 1 0"/>
      <limit effort="30" velocity="1.5"/><dynamics damping="0.3" friction="0.2"/></joint>
    <joint name="grip" type="prismatic"><parent link="upper"/><child link="finger"/>
      <origin xyz="0.3 0 0" rpy="0.4 1.5707963267948966 0"/><axis xyz="1 0 0"/>
      <limit lower="0" upper="0.05" effort="10" velocity="1"/></joint>
    <joint name="oppose" type="prismatic"><parent link="upper"/><child link="thumb"/>
      <origin xyz="0.3 0 0"/><axis xyz="-1 0 0"/><limit lower="0" upper="0.05" effort="10" velocity="1"/>
      <mimic joint="grip" multiplier="1.5" offset="0.01"/></joint>
    <transmission name="t"><joint name="shoulder"/><actuator name="m">
      <drake:rotor_inertia value="1.7e-5"/><drake:gear_ratio value="47"/></actuator></transmission>
    </robot>)",
                                              "arm.urdf"))
                               .text;
  const Description d = parse_urdf(urdf, "arm.urdf"), toml = parse_toml(to_toml(d), "arm.toml"),
                    again = parse_urdf(to_urdf(toml).text, "again.urdf");
  EXPECT_NE(urdf.find("rotor_inertia value=\"1.7e-05\""), urdf.npos) << urdf;
  EXPECT_EQ(to_urdf(toml).text, urdf);
  EXPECT_TRUE(to_urdf(toml).notes.empty()) << to_urdf(toml).notes[0];
  same_numbers(d, again);
  same_torques(d, again);
}

TEST(UrdfWriter, WhatOthersMayNotReadIsNoted) {
  const Description d = parse_toml(
      "[[joint]]\naxis = [0, 0, 1]\nlower = 1\nupper = 2\n[[joint]]\ntype = \"prismatic\"\n"
      "axis = [0, 0, 1]\nlower = 0\nvelocity = 1\neffort = 1\nmass = 1\ninertia = [1, 1, 1]\n",
      "arm.toml");
  const UrdfText urdf = to_urdf(d);
  ASSERT_EQ(urdf.notes.size(), 2u);
  EXPECT_TRUE(urdf.notes[0].starts_with("joint 'joint2' is limited on one side")) << urdf.notes[0];
  EXPECT_TRUE(urdf.notes[1].starts_with("joint 'joint1' is missing the lower")) << urdf.notes[1];
  same_joints(d, parse_urdf(urdf.text, "arm.urdf"));
  EXPECT_EQ(to_toml_beside(d, "arm.urdf"), "");
}

// If pitch is nearly a right angle, yaw and roll are nearly redundant; their combination must be
// exact.
TEST(Rpy, GivesRotationsBack) {
  Rng rng(9);
  for (int k = 0; k < 2000; ++k) {
    const double near = k % 2 ? std::pow(10, uniform(rng, -18, -1)) : uniform(rng, 0, 3);
    const Mat3<double> R =
        rotation_rpy({uniform(rng, -3, 3), std::numbers::pi / 2 - near, uniform(rng, -3, 3)});
    const Mat3<double> again = rotation_rpy(rpy_of(R));
    for (const auto row : {&Mat3<double>::r0, &Mat3<double>::r1, &Mat3<double>::r2})
      EXPECT_LT(norm(R.*row - again.*row), 2e-14) << near;
  }
}

}  // namespace
}  // namespace parid::test
