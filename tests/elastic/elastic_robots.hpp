// Robots with elastic joints, and the explicit mechanism of each: a rotor as a body on a joint of
// its own for every motor, built here without the library's own construction.

#pragma once

#include <vector>

#include "parid/robot.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

// Every second joint with one coordinate is elastic; the others stay rigid. Rotors are at least
// 0.05 kg m².
inline Robot random_elastic(Rng& rng, Description d, double stiffness, double damping) {
  bool next = true;
  for (JointDescription& j : d.joints) {
    if (velocity_count(j) != 1) continue;
    if (next) {
      j.rotor_inertia = uniform(rng, 0.05, 0.5);
      j.elastic = Elasticity{stiffness * uniform(rng, 0.5, 2), damping * uniform(rng, 0.5, 2)};
    }
    next = !next;
  }
  return Robot(std::move(d));
}

// The coordinates of the robot, then those of the rotors, which are discs on the root link.
inline Robot explicit_mechanism(const Robot& robot) {
  Description d = robot.description();
  const std::size_t joints = d.joints.size();
  for (std::size_t k = 0; k < joints; ++k) {
    if (!d.joints[k].elastic) continue;
    const double B = d.joints[k].rotor_inertia;
    const bool slides = d.joints[k].type == JointType::prismatic;
    d.joints[k].rotor_inertia = 0;
    d.joints[k].elastic.reset();
    LinkDescription disc;
    disc.name = "disc" + std::to_string(k);
    disc.inertia = slides ? Inertia{B, {}, {1, 1, 1}} : Inertia{1, {}, {B, B, B}};
    JointDescription j;
    j.name = "spindle" + std::to_string(k);
    j.type = slides ? JointType::prismatic : JointType::continuous;
    j.parent = d.links.front().name;
    j.child = disc.name;
    // Across gravity, so that a sliding rotor has no weight along its axis.
    const Vec3<double> g = d.gravity;
    const Vec3<double> across =
        cross(g, std::abs(g.x) < std::abs(g.z) ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1});
    const double length = norm(across);
    j.axis = length > 0 ? (1 / length) * across : Vec3<double>{0, 0, 1};
    d.links.push_back(disc);
    d.joints.push_back(j);
  }
  return Robot(std::move(d));
}

// One link of inertia J about a horizontal or, without gravity, any axis, with a motor.
inline Description one_link(double J, double B, double stiffness, double damping) {
  Description d;
  d.name = "one";
  d.gravity = {0, 0, 0};
  d.links.push_back({"base", std::nullopt});
  LinkDescription link;
  link.name = "arm";
  link.inertia = Inertia{1, {}, {J, J, J}};
  JointDescription j;
  j.name = "joint";
  j.type = JointType::continuous;
  j.parent = "base";
  j.child = "arm";
  j.axis = {0, -1, 0};
  j.rotor_inertia = B;
  j.elastic = Elasticity{stiffness, damping};
  d.links.push_back(link);
  d.joints.push_back(j);
  return d;
}

inline double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}
inline double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  EXPECT_EQ(x.size(), y.size());
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, std::abs(x[k] - y[k]));
  return most;
}

// A tree in URDF, with an offset base, a mirrored axis and odd names.
inline const char* tree_urdf = R"(<robot name="two arms">
<link name="world"/>
<joint name="stand" type="fixed"><parent link="world"/><child link="torso"/>
  <origin xyz="0.1 -0.2 0.7" rpy="0.3 0 1.1"/></joint>
<link name="torso"><inertial><mass value="9"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="l shoulder" type="revolute"><parent link="torso"/><child link="l1"/>
  <origin xyz="0 0.2 0.3"/><axis xyz="0 0.6 0.8"/><limit lower="-3" upper="3" effort="50" velocity="4"/></joint>
<link name="l1"><inertial><origin xyz="0.1 0 -0.2"/><mass value="2.5"/><inertia ixx="0.05" iyy="0.06" izz="0.02" ixy="0.003" ixz="0" iyz="0"/></inertial></link>
<joint name="l elbow" type="continuous"><parent link="l1"/><child link="l2"/>
  <origin xyz="0.05 0 -0.4" rpy="0 0.2 0"/><axis xyz="0 -1 0"/></joint>
<link name="l2"><inertial><origin xyz="0 0.02 -0.15"/><mass value="1.2"/><inertia ixx="0.02" iyy="0.02" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="r slide" type="prismatic"><parent link="torso"/><child link="r1"/>
  <origin xyz="0 -0.2 0.3" rpy="0.5 0 0"/><axis xyz="0 0 -1"/><limit lower="-1" upper="1" effort="90" velocity="2"/></joint>
<link name="r1"><inertial><origin xyz="0 0 0.1"/><mass value="3"/><inertia ixx="0.05" iyy="0.05" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>)";

inline Robot elastic_tree() {
  Description d = Robot::from_text(tree_urdf).description();
  for (JointDescription& j : d.joints) {
    if (j.name == "l shoulder") j.rotor_inertia = 0.3;
    if (j.name == "l elbow") j.rotor_inertia = 0.1;
    if (j.name == "r slide") j.rotor_inertia = 2;
  }
  return Robot(std::move(d)).with_elasticity({{"l elbow", {800, 1.5}}, {"r slide", {20000, 0}}});
}

}  // namespace parid::test
