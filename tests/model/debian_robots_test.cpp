// Every URDF file in a package of Debian 12, by the index of all packages: each loads, or is
// refused for the reason listed here.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "model/format/urdf/urdf.hpp"
#include "model/lint/check.hpp"
#include "parid/robot.hpp"
#include "tests/layer.hpp"
#include "tests/unzipped.hpp"

namespace parid::test {
namespace {

namespace fs = std::filesystem;

struct Package {
  const char* name;
  std::vector<fs::path> places;
  std::map<std::string, std::string> outcome;  // "": it loads
};

const std::string head =
    "link 'head' has a physically impossible inertia: principal moments 0.0014184 0.00208011 "
    "0.00396996, the last";

const Package packages[] = {
    {"dart-doc",
     {"/usr/share/doc/dart/data"},
     {{"atlas/atlas_v3.urdf", "child link 'head' of joint 'neck_ry' does not exist"},
      {"atlas/atlas_v3_no_head.urdf", ""},
      {"atlas/ground.urdf", ""},
      {"KR5/KR5 sixx R650.urdf", ""},
      {"KR5/ground.urdf", ""},
      {"drchubo/drchubo.urdf", ""},
      {"test/invalid.urdf", "malformed XML"},
      {"test/invalid_mesh.urdf", ""},
      {"test/issue838.urdf", ""},
      {"test/joint_properties.urdf",
       "joint '0_to_1' has no inertia behind it; forward dynamics is singular"},
      {"test/missing_mesh.urdf", ""},
      {"test/missing_package.urdf", ""},
      {"test/primitive_geometry.urdf", ""},
      {"test/testWorld.urdf", "the root is <world>: a world file, not URDF"},
      {"wam/wam.urdf", ""}}},
    {"libsimbody-dev",
     {"/usr/share/doc/simbody"},
     {{"models/atlas_v4.urdf", head},
      {"models/atlas_v4_free_pelvis.urdf", head},
      {"models/atlas_v4_grounded.urdf", head},
      {"models/atlas_v4_locked_pelvis.urdf", head},
      {"models/atlas_v4_robotiq_hands.urdf", ""},
      {"models/atlas_v4_upper.urdf", head},
      {"models/ur10_joint_limited_robot.urdf", ""},
      {"models/ur10_robot.urdf", ""}}},
    {"morse-simulator-doc",
     {"/usr/share/morse", "/usr/share/doc/morse-simulator-doc"},
     {{"morse_2dnav/pr2.urdf",
       "joint 'r_gripper_joint' has no inertia behind it; forward dynamics is singular"}}},
};

std::string outcome_of(const fs::path& path) {
  try {
    const Robot robot(parse_urdf(unzipped(path.string()), "robot.urdf"), true);  // strict
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

TEST(DebianRobots, LoadOrAreRefusedForAReason) {
  int tried = 0;
  for (const Package& package : packages) {
    std::map<std::string, std::string> left = package.outcome;
    for (const fs::path& place : package.places) {
      if (!fs::exists(place)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(place)) {
        const fs::path plain =
            entry.path().extension() == ".gz" ? entry.path().stem() : entry.path().filename();
        if (plain.extension() != ".urdf") continue;
        const std::string name = entry.path().parent_path().filename() / plain;
        const auto expected = package.outcome.find(name);
        ASSERT_NE(expected, package.outcome.end()) << entry.path() << ": say what becomes of it";
        const std::string outcome = outcome_of(entry.path());
        if (expected->second.empty()) {
          EXPECT_EQ(outcome, "") << name;
        } else {
          EXPECT_NE(outcome.find(expected->second), outcome.npos) << name << ": " << outcome;
          EXPECT_EQ(outcome.find("robot.urdf:"), 0u) << outcome;  // with its line
        }
        left.erase(name);
        ++tried;
      }
    }
    if (left.size() == package.outcome.size()) {
      std::printf("%s is not installed\n", package.name);
      continue;
    }
    for (const auto& [name, reason] : left) ADD_FAILURE() << package.name << " has no " << name;
  }
  if (tried == 0) GTEST_SKIP() << "none of the packages is installed";
}

// As in PR2's files in ros-collada-urdf and ros-urdf.
TEST(DebianRobots, WhatOldXacrosLeftIsRead) {
  const std::string robot =
      "<robot name=\"r\">\n<link name=\"a\"/>\n<xacro:pr2_head_gazebo name=\"h\"/>\n</robot>";
  const Description d = parse_urdf(
      "<!-- made by xacro -->\n<!-- do not edit -->\n<?xml version=\"1.0\"\n?>\n" + robot,
      "r.urdf");
  EXPECT_EQ(d.links.size(), 1u);
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_EQ(d.remarks[0].text(),
            "r.urdf:7: the robot contains <xacro:pr2_head_gazebo>, an unexpanded xacro macro; "
            "ignored; expand the file with xacro");
  for (const char* text : {"<!-- a --><?xml", "<!-- a", "<!-- a --><?xml ?><?xml ?>"})
    EXPECT_THROW(parse_urdf(text, "r.urdf"), Error) << text;
}

}  // namespace
}  // namespace parid::test
