// Robots that are not built in, for designs: an arm with an offset, turned base, a mirrored axis, a
// slider and a tool; and a tree.

#pragma once

#include "parid/robot.hpp"
#include "tests/layer.hpp"

namespace parid::test {

inline constexpr const char* odd_arm_urdf = R"(<robot name="odd arm">
  <link name="floor"/>
  <link name="column"><inertial><origin xyz="0.02 0.01 0.1"/><mass value="6"/>
    <inertia ixx="0.08" iyy="0.07" izz="0.05" ixy="0.004" ixz="0.002" iyz="-0.003"/></inertial></link>
  <link name="beam"><inertial><origin xyz="0.2 0 0.03" rpy="0.2 0 0.1"/><mass value="4"/>
    <inertia ixx="0.03" iyy="0.12" izz="0.11" ixy="0" ixz="0.003" iyz="0"/></inertial></link>
  <link name="slide"><inertial><origin xyz="0 0.02 -0.1"/><mass value="2.5"/>
    <inertia ixx="0.03" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0.001"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0.05 0 0.1"/><mass value="1.2"/>
    <inertia ixx="0.01" iyy="0.012" izz="0.006" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><origin xyz="0.3 -0.2 0.7" rpy="0.1 -0.3 0.5"/>
    <parent link="floor"/><child link="column"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="3" effort="200"/></joint>
  <joint name="lift" type="revolute"><origin xyz="0.1 0 0.3" rpy="0 0 0.4"/>
    <parent link="column"/><child link="beam"/><axis xyz="0 -1 0"/>
    <limit lower="-1.5" upper="1.5" velocity="3" effort="150"/></joint>
  <joint name="reach" type="prismatic"><origin xyz="0.4 0 0.05" rpy="0 0.3 0"/>
    <parent link="beam"/><child link="slide"/><axis xyz="0.6 0 0.8"/>
    <limit lower="0" upper="0.4" velocity="1" effort="300"/></joint>
  <joint name="wrist" type="revolute"><origin xyz="0.1 0.05 0" rpy="0.2 0.1 0"/>
    <parent link="slide"/><child link="tool"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" velocity="5" effort="50"/></joint>
</robot>)";

inline constexpr const char* fork_urdf = R"(<robot name="fork">
  <link name="floor"/>
  <link name="trunk"><inertial><origin xyz="0 0 0.2"/><mass value="8"/>
    <inertia ixx="0.2" iyy="0.2" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><origin xyz="0.15 0 0"/><mass value="2"/>
    <inertia ixx="0.004" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><origin xyz="0.2 0 0"/><mass value="3"/>
    <inertia ixx="0.006" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="waist" type="revolute"><parent link="floor"/><child link="trunk"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="3" effort="100"/></joint>
  <joint name="left shoulder" type="revolute"><origin xyz="0 0.2 0.4"/><parent link="trunk"/>
    <child link="left"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="60"/></joint>
  <joint name="right shoulder" type="revolute"><origin xyz="0 -0.2 0.4"/><parent link="trunk"/>
    <child link="right"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="60"/></joint>
</robot>)";

}  // namespace parid::test
