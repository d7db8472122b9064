// Bearings and drives in robot files: read as written, refused with line and remedy.

#include <gtest/gtest.h>

#include <cmath>

#include "model/format/toml/toml.hpp"
#include "model/lint/check.hpp"
#include "parid/robot.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A revolute joint, or one of type `type`, with lines about its friction from line 8 on.
std::string arm(const std::string& lines, const std::string& type = "revolute") {
  return "convention = \"modified\"\n\n[[joint]]\nname = \"j\"\ntype = \"" + type +
         "\"\nmass = 2\ninertia = [1, 1, 1]\n" + lines;
}
JointDescription joint(const std::string& lines, const std::string& type = "revolute") {
  const Description d = parse_toml(arm(lines, type), "arm.toml");
  EXPECT_TRUE(d.remarks.empty());
  for (const Finding& f : check(d)) ADD_FAILURE() << f.text();
  return d.joints.at(0);
}

TEST(TomlFriction, IsReadAsWritten) {
  const JointDescription j = joint(
      "effort = 80\nfriction = 0.5\nsmoothing = 0.01\nstribeck = {breakaway = 0.8, velocity = "
      "0.05}\njournal = {friction = 0.1, radius = 0.05, spacing = 0.12, at = -0.02}\nthrust = "
      "{friction = 0.2, radius = 0.04}\n[joint.drive]\nbreakaway = 5\nefficiency = [[0.1, 0.5], "
      "[0.5, 0.7], [1, 0.75]]\ninterpolation = \"spline\"\n");
  EXPECT_EQ(j.smoothing, 0.01);
  EXPECT_EQ(j.stribeck->breakaway, 0.8);
  EXPECT_EQ(j.stribeck->velocity, 0.05);
  EXPECT_EQ(j.journal->friction, 0.1);
  EXPECT_EQ(j.journal->radius, 0.05);
  EXPECT_EQ(j.journal->spacing, 0.12);
  EXPECT_EQ(j.journal->at, -0.02);
  EXPECT_EQ(j.thrust->friction, 0.2);
  EXPECT_EQ(j.thrust->radius, 0.04);
  EXPECT_EQ(j.drive->breakaway, 5);
  EXPECT_EQ(j.drive->rated, 80);  // the effort
  EXPECT_EQ(j.drive->efficiency.size(), 3u);
  EXPECT_EQ(j.drive->efficiency[1][1], 0.7);
  EXPECT_EQ(j.drive->interpolation, Interpolation::spline);
  EXPECT_EQ(j.journal_line, 12);
  EXPECT_EQ(j.thrust_line, 13);

  const JointDescription slide = joint("linear = {friction = 0.3, spacing = 0.2}\n", "prismatic");
  EXPECT_EQ(slide.linear->friction, 0.3);
  EXPECT_EQ(slide.linear->spacing, 0.2);
  EXPECT_EQ(joint("drive = {efficiency = 0.9}\n").drive->efficiency.at(0)[1], 0.9);
  EXPECT_FALSE(joint("").journal || joint("").drive || joint("").stribeck);
}

TEST(TomlFriction, WhatCannotBeIsRefusedWithItsLine) {
  auto said = [](const std::string& lines, int line, const std::string& wrong,
                 const std::string& right, const std::string& type = "revolute") {
    try {
      parse_toml(arm(lines, type), "arm.toml");
      ADD_FAILURE() << "accepted: " << lines;
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_TRUE(text.starts_with("arm.toml:" + std::to_string(line) + ": joint 'j'")) << text;
      EXPECT_NE(text.find(wrong), text.npos) << text;
      EXPECT_NE(text.find(right), text.npos) << text;
    }
  };
  said("smoothing = -1\n", 8, "smoothing is negative", "rad/s");
  said("journal = {friction = 0.1, radius = 0.1}\n", 8, "it has no spacing", "spacing = 0.12");
  said("journal = {friction = 0.1, radius = 0.1, spacing = 0}\n", 8, "spacing is 0", "in m");
  said("journal = {friction = -0.1, radius = 0.1, spacing = 1}\n", 8, "friction is negative", "µ");
  said("journal = {friction = 0.1, radius = 0.1, spacing = 1}\n", 8,
       "cannot have a journal bearing", "linear = ", "prismatic");
  said("linear = {friction = 0.1, spacing = 1}\n", 8, "cannot have a linear bearing", "journal = ");
  said("thrust = {friction = 0.1, radius = 0.1}\n", 8, "cannot have a thrust bearing",
       "linear = ", "prismatic");
  said("thrust = {friction = 0.1, radius = 0.1}\n", 8, "a spherical joint cannot have thrust",
       "only revolute, continuous and prismatic joints", "spherical");
  said("friction = 2\nstribeck = {breakaway = 1, velocity = 1}\n", 9,
       "breakaway 1 is less than the joint's friction 2", "increase breakaway");
  said("stribeck = {breakaway = 1, velocity = 0}\n", 8, "velocity is 0", "rad/s");
  said("drive = {breakaway = -5}\n", 8, "breakaway is negative", "at the joint");
  said("drive = {efficiency = 1.2}\n", 8, "efficiency goes up to 1.2", "at most 1");
  said("drive = {efficiency = 0}\n", 8, "efficiency goes down to 0", "above 0");
  said("drive = {efficiency = []}\n", 8, "efficiency is empty", "points");
  said("drive = {efficiency = [[0.1, 0.5], 3]}\n", 8, "point 2 of efficiency is not two numbers",
       "points");
  said("drive = {rated = 5, efficiency = [[0.5, 0.5], [0.1, 0.6]]}\n", 8,
       "load 0.1 in efficiency is not above the previous one", "ascending");
  said("drive = {efficiency = [[0.1, 0.5], [0.5, 0.6]]}\n", 8, "rated_torque is missing",
       "rated = 100");
  said("drive = {efficiency = 0.5, interpolation = \"cubic\"}\n", 8,
       "interpolation 'cubic' is unknown", "\"linear\" or \"spline\"");
  said(
      "drive = {rated = 1, interpolation = \"spline\", efficiency = [[0, 0.3], [0.1, 0.9], [1, "
      "1]]}\n",
      8, "efficiency goes up to", "also between the points of a spline");
  said("journal = 3\n", 8, "journal is a number", "a journal bearing");
}

TEST(TomlFriction, FollowersHaveNoDrive) {
  const std::string text = arm("") +
                           "\n[[joint]]\nname = \"k\"\nmass = 1\ninertia = [1, 1, 1]\n"
                           "mimic = {joint = \"j\"}\ndrive = {breakaway = 1}\n";
  try {
    parse_toml(text, "arm.toml");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "arm.toml:14: joint 'k': a mimic joint cannot have a drive; give the drive to the "
              "joint that it mimics");
  }
}

TEST(TomlFriction, MisspeltKeysAreRemarked) {
  const Description d = parse_toml(
      arm("journal = {friction = 0.1, radius = 0.1, spacing = 1, radios = 2}\n"), "a.toml");
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_EQ(d.remarks[0].at.line, 8);
  EXPECT_EQ(d.remarks[0].remedy, "did you mean 'radius'?");
}

// Descriptions that no file made are checked too.
TEST(CheckFriction, ImpossiblePartsAreErrors) {
  const Description sound = parse_toml(arm(""), "arm.toml");
  auto code = [&](auto&& change) {
    Description d = sound;
    change(d.joints[0]);
    const auto found = check(d);
    return found.size() == 1 ? found[0].code : std::to_string(found.size()) + " findings";
  };
  EXPECT_EQ(code([](auto& j) {
              j.journal = JournalBearing{0.1, 0.1, 0, 0};
            }),
            "impossible-bearing");
  EXPECT_EQ(code([](auto& j) { j.linear = LinearBearing{-1, 1, 0}; }), "impossible-bearing");
  EXPECT_EQ(code([](auto& j) { j.thrust = ThrustBearing{1, -1}; }), "impossible-bearing");
  EXPECT_EQ(code([](auto& j) { j.stribeck = Stribeck{1, 0}; }), "negative-friction");
  EXPECT_EQ(code([](auto& j) { j.smoothing = -1; }), "negative-friction");
  EXPECT_EQ(code([](auto& j) { j.drive = Drive{-1, 1, {}}; }), "impossible-drive");
  EXPECT_EQ(code([](auto& j) { j.drive = Drive{0, 1, {{0, 0}}}; }), "impossible-drive");
  EXPECT_EQ(code([](auto& j) { j.drive = Drive{0, 0, {{0, 0.5}, {1, 0.6}}}; }), "impossible-drive");
  EXPECT_EQ(code([](auto& j) { j.drive = Drive{INFINITY, 1, {}}; }), "not-finite");
  EXPECT_EQ(code([](auto& j) {
              j.type = JointType::spherical;
              j.friction = 1;
            }),
            "ignored-friction");
}

}  // namespace
}  // namespace parid::test
