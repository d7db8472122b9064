// Robots written and read again are the same robots.

#include "parid/model/toml_writer.hpp"

#include <gtest/gtest.h>

#include "parid/model/builtin.hpp"
#include "parid/model/check.hpp"
#include "parid/model/load.hpp"
#include "parid/model/toml.hpp"
#include "parid/model/urdf.hpp"
#include "parid/run/dynamics.hpp"
#include "tests/random_robot.hpp"

namespace parid {
namespace {

void same_torques(const Description& a, const Description& b) {
  Rng rng(3);
  const Robot before{a}, after{b};
  ASSERT_EQ(before.velocity_names(), after.velocity_names());
  ASSERT_EQ(before.position_names(), after.position_names());
  Workspace w(before), x(after);
  std::vector<double> tau(before.nv()), again(before.nv());
  for (int k = 0; k < 5; ++k) {
    const State s = random_state(rng, a);
    inverse_dynamics(before, w, s.q, s.v, s.a, tau);
    inverse_dynamics(after, x, s.q, s.v, s.a, again);
    double size = 1;
    for (const double t : tau) size = std::max(size, std::abs(t));
    for (int i = 0; i < before.nv(); ++i) EXPECT_NEAR(tau[i], again[i], 1e-12 * size) << a.name;
  }
}

void same_numbers(const Description& a, const Description& b) {
  ASSERT_EQ(a.joints.size(), b.joints.size());
  EXPECT_EQ(a.name, b.name);
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const JointDescription &x = a.joints[j], &y = b.joints[j];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.type, y.type);
    EXPECT_EQ(x.child, y.child);
    EXPECT_EQ(x.limits.lower, y.limits.lower);
    EXPECT_EQ(x.limits.upper, y.limits.upper);
    EXPECT_EQ(x.limits.velocity, y.limits.velocity);
    EXPECT_EQ(x.limits.effort, y.limits.effort);
    EXPECT_EQ(x.damping, y.damping);
    EXPECT_EQ(x.friction, y.friction);
    EXPECT_EQ(x.rotor_inertia, y.rotor_inertia);
    EXPECT_EQ(x.gear_ratio, y.gear_ratio);
    EXPECT_EQ(x.mimic.has_value(), y.mimic.has_value());
  }
  for (const LinkDescription& l : a.links)
    for (const LinkDescription& m : b.links)
      if (l.name == m.name) {
        ASSERT_EQ(l.inertia.has_value(), m.inertia.has_value()) << l.name;
        if (!l.inertia) continue;
        EXPECT_EQ(l.inertia->mass, m.inertia->mass) << l.name;
        EXPECT_EQ(l.inertia->com.x, m.inertia->com.x) << l.name;
        EXPECT_EQ(l.inertia->about_com.xz, m.inertia->about_com.xz) << l.name;
      }
}

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
    options.tips = tips, options.floating_base = true;
    Description d = random_tree(rng, 14, options);
    d.joints.push_back(d.joints[1]);
    JointDescription& j = d.joints.back();
    j = JointDescription{};
    j.name = "quoted \"name\" \\ of\ta joint", j.type = JointType::revolute;
    j.parent = d.links[3].name, j.child = "follower", j.axis = {0, 1, 0};
    d.links.push_back({"follower", random_inertia(rng)});
    const Description again = parse_toml(to_toml(d), "again.toml");
    same_torques(d, again);
  }
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

}  // namespace
}  // namespace parid
