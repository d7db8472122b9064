// Limits of joints and motors along motions, heaviest payloads and payload maps, on robots that are
// not built in: by hand, and by a second evaluation.

#include "parid/limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/description.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "motion/default_motion.hpp"
#include "parid/engine.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

// A pendulum of 2 kg at 0.5 m whose base stands elsewhere, with mirrored axis and gears.
const std::string pendulum =
    "name = 'odd name'\n[[joint]]\nname = 'j-1'\ntype = 'revolute'\nxyz = [0.3, -0.2, 1]\n"
    "axis = [0, -1, 0]\nmass = 2\ncom = [0.5, 0, 0]\ninertia = [0, 0, 0]\nlower = -2\nupper = 2\n"
    "velocity = 3\neffort = 20\ncontinuous_effort = 8\ngear_ratio = -50\n"
    "motor = {torque = 0.5, continuous_torque = 0.2, speed = 200, power = 40}\n";

using Tau = std::vector<double>;

// Instants that are not evenly spaced.
SampledTrajectory three_samples() {
  SampledTrajectory m;
  m.rows = 3;
  m.t = {0, 1, 4};
  m.q = {0, 1, -1.5};
  m.v = {1, -2, 0.5};
  m.a = {0, 0, 0};
  return m;
}

TEST(Limits, FiguresOfOneJointByHand) {
  const Robot robot = robot_of(pendulum);
  const LimitsReport r =
      check_limits(robot, three_samples(), Tau{10, -15, 4}, {.margin = 0.25, .duty = 0.64});
  ASSERT_EQ(r.joints.size(), 1u);
  const JointLoad& j = r.joints[0];
  EXPECT_EQ(j.coordinate, "j-1");
  EXPECT_EQ(j.peak, -15);
  EXPECT_EQ(j.peak_row, 1u);
  // Weights by the trapezoidal rule: 1/8, 4/8, 3/8.
  const double rms = std::sqrt(100 / 8.0 + 225 * 4 / 8.0 + 16 * 3 / 8.0);
  EXPECT_NEAR(j.rms, rms, 1e-13);
  EXPECT_EQ(j.peak_power, 30);
  EXPECT_EQ(j.regenerative_power, 0);
  EXPECT_NEAR(j.energy, 4 * (10 / 8.0 + 30 * 4 / 8.0 + 2 * 3 / 8.0), 1e-12);
  EXPECT_EQ(j.lowest, -1.5);
  EXPECT_EQ(j.highest, 1);
  const LimitUse& effort = *j.use(LimitKind::effort);
  EXPECT_DOUBLE_EQ(effort.share, 0.75);
  EXPECT_TRUE(effort.holds) << "75 % with a margin of 25 % is just enough";
  const LimitUse& continuous = *j.use(LimitKind::continuous_effort);
  EXPECT_NEAR(continuous.value, 0.8 * rms, 1e-13);
  EXPECT_FALSE(continuous.holds);
  EXPECT_NEAR(j.use(LimitKind::motor_torque)->value, -15 / 50.0, 1e-15);
  EXPECT_NEAR(j.use(LimitKind::motor_continuous_torque)->value, 0.8 * rms / 50, 1e-15);
  EXPECT_NEAR(j.use(LimitKind::motor_speed)->value, -100, 1e-13);
  EXPECT_NEAR(j.use(LimitKind::motor_speed)->share, 0.5, 1e-15);
  EXPECT_NEAR(j.use(LimitKind::motor_power)->value, 30, 1e-13);
  EXPECT_NEAR(j.use(LimitKind::position)->share, 0.75, 1e-15);
  EXPECT_EQ(j.use(LimitKind::position)->row, 2u);
  EXPECT_NEAR(j.duty, std::pow(0.75 * 8 / rms, 2), 1e-13);
  const double worst = 0.8 * rms / 8;  // of all shares
  EXPECT_NEAR(j.undersized, worst / 0.75 - 1, 1e-12);
  EXPECT_EQ(r.verdict, LimitsVerdict::exceeded);
  EXPECT_EQ(check_limits(robot, three_samples(), Tau{10, -15, 4}, {.duty = 0.2}).verdict,
            LimitsVerdict::holds);
}

TEST(Limits, PowerThatComesBackIsRegenerative) {
  const Robot robot = robot_of(pendulum);
  const LimitsReport r = check_limits(robot, three_samples(), Tau{10, 15, 4});
  EXPECT_EQ(r.joints[0].peak_power, 10);
  EXPECT_EQ(r.joints[0].regenerative_power, 30);
  EXPECT_NEAR(r.joints[0].regenerated_energy, 4 * 30 * 4 / 8.0, 1e-12);
  EXPECT_EQ(r.regenerative_power, 30);
}

TEST(Limits, WhatIsNotGivenIsNotHeld) {
  const Robot none = single("revolute", "axis = [0, 0, 1]");
  const LimitsReport r = check_limits(none, default_motion(none));
  EXPECT_EQ(r.verdict, LimitsVerdict::unknown);
  EXPECT_EQ(r.without_effort_limit, std::vector<std::string>{"j"});
  EXPECT_EQ(r.without_velocity_limit, std::vector<std::string>{"j"});
  EXPECT_FALSE(r.joints[0].use(LimitKind::effort)->given());
  // A motor's torque is a torque limit too.
  const Robot motor = single("revolute", "axis = [0, 0, 1]\nmotor = {torque = 1e3}");
  EXPECT_EQ(check_limits(motor, default_motion(motor)).verdict, LimitsVerdict::holds);
  // A position beyond its limit is one, whatever else is missing.
  const Robot narrow = single("revolute", "axis = [0, 0, 1]\nlower = -0.1\nupper = 0.1");
  SampledTrajectory m = default_motion(narrow);
  m.q[7] = 0.2;
  const LimitsReport wide = check_limits(narrow, m);
  EXPECT_EQ(wide.verdict, LimitsVerdict::exceeded);
  EXPECT_EQ(wide.joints[0].use(LimitKind::position)->row, 7u);
}

// The same limits as broken_limits() finds, on a robot with every kind of joint.
TEST(Limits, AgreesWithBrokenLimitsOnFollowersAndBases) {
  const Robot robot = everything();
  SampledTrajectory m = default_motion(robot, 21);
  m.q[static_cast<std::size_t>(robot.nq()) * 4 - 1] = 0.5;
  m.v[static_cast<std::size_t>(robot.nv()) * 6 - 1] = 3;
  std::vector<double> tau(m.v.size());
  tau[static_cast<std::size_t>(robot.nv()) * 9 - 1] = -60;
  const LimitsReport r = check_limits(robot, m, tau);
  std::vector<std::string> ours, theirs;
  for (const JointLoad& j : r.joints)
    for (const LimitUse& u : j.uses)
      if (!u.holds) ours.push_back(j.coordinate + " " + name(u.kind));
  for (const LimitBreak& b : broken_limits(robot, m, tau))
    theirs.push_back(b.coordinate + " " + b.kind);
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  EXPECT_EQ(ours, theirs);
  EXPECT_GE(ours.size(), 4u);
  EXPECT_FALSE(r.joints[0].actuated) << "a floating base has no motor";
  EXPECT_EQ(r.joints.back().mimics, "finger");
  for (const std::string& missing : r.without_effort_limit)
    EXPECT_EQ(missing.find("free"), std::string::npos) << missing;
}

TEST(Limits, SeveralMotionsGiveTheWorst) {
  const Robot robot = robot_of(pendulum);
  LimitsReport all;
  std::vector<std::size_t> which;
  merge(all, check_limits(robot, three_samples(), Tau{1, 2, 3}), which, 0);
  merge(all, check_limits(robot, three_samples(), Tau{1, -25, 3}), which, 1);
  merge(all, check_limits(robot, three_samples(), Tau{4, 4, 4}), which, 2);
  EXPECT_EQ(all.joints[0].peak, -25);
  EXPECT_EQ(which, std::vector<std::size_t>{1});
  EXPECT_EQ(all.verdict, LimitsVerdict::exceeded);
  EXPECT_EQ(all.rows, 9u);
}

TEST(Limits, RefusesWhatMakesNoSense) {
  const Robot robot = robot_of(pendulum);
  EXPECT_THROW(check_limits(robot, three_samples(), Tau{1, 2}), std::invalid_argument);
  EXPECT_THROW(check_limits(robot, SampledTrajectory{}, Tau{}), std::invalid_argument);
  EXPECT_THROW(check_limits(robot, three_samples(), LimitsOptions{.margin = 1}),
               std::invalid_argument);
  EXPECT_THROW(check_limits(robot, three_samples(), LimitsOptions{.duty = 0}),
               std::invalid_argument);
}

// An arm with offset base, tool frame and two limits; friction where asked for.
Robot two_links(bool friction) {
  return robot_of(
      std::string("name = 'two'\ngravity = [0, 9.81, 0]\n[[joint]]\nname = 'a'\nxyz = [1, 2, 3]\n"
                  "axis = [0, 0, 1]\nmass = 3\ncom = [0.2, 0.1, 0]\ninertia = [0.1, 0.1, 0.1]\n"
                  "effort = 90\ncontinuous_effort = 60\n") +
      (friction ? "friction = 2\ndamping = 0.5\n" : "") +
      "[[joint]]\nname = 'b'\nxyz = [0.5, 0, 0]\naxis = [0, 0, -1]\nmass = 2\ncom = [0.2, 0, "
      "0]\ninertia = [0.05, 0.05, 0.05]\neffort = 40\nmotor = {torque = 0.7}\ngear_ratio = 50\n");
}

TEST(HeaviestPayload, IsWhereTheFirstLimitIsReached) {
  for (const bool friction : {false, true}) {
    const Robot robot = two_links(friction);
    const SampledTrajectory m = default_motion(robot);
    const PayloadPlace place{"link2", {0.4, 0, 0.1}};
    for (const double margin : {0.0, 0.3}) {
      const LimitsOptions o{.margin = margin, .duty = 0.7};
      const HeaviestPayload h = heaviest_payload(robot, m, place, o);
      ASSERT_TRUE(h.empty_holds && h.mass > 0.5 && std::isfinite(h.mass)) << h.mass;
      const auto with = [&](double mass) {
        return check_limits(robot.with_payload("link2", mass, place.centre), m, o);
      };
      EXPECT_EQ(with(h.mass * (1 - 1e-5)).verdict, LimitsVerdict::holds) << friction << margin;
      const LimitsReport more = with(h.mass * (1 + 1e-5));
      EXPECT_EQ(more.verdict, LimitsVerdict::exceeded) << friction << margin;
      for (const JointLoad& j : more.joints)
        for (const LimitUse& u : j.uses)
          if (!u.holds) {
            EXPECT_EQ(j.coordinate, h.coordinate);
            EXPECT_EQ(u.kind, h.kind);
          }
    }
  }
  const Robot weak = robot_of(
      "name = 'weak'\n[[joint]]\naxis = [0, 1, 0]\nmass = 9\ncom = [1, 0, 0]\ninertia = [0, 0, "
      "0]\neffort = 5\n");
  EXPECT_FALSE(heaviest_payload(weak, default_motion(weak)).empty_holds);
  EXPECT_EQ(heaviest_payload(weak, default_motion(weak)).mass, 0);
  EXPECT_THROW(heaviest_payload(single("revolute", "axis = [0, 1, 0]"), three_samples()), Error);
}

// Two rods of 1 m and 1 kg, stretched: shoulder torque g (0.5 + 1.5 + 2 m).
TEST(PayloadMap, FindsTheStretchedArm) {
  const double g = 9.81, limit = 60;
  const Robot arm = robot_of(
      "name = 'rods'\n[[joint]]\nname = 'shoulder'\nxyz = [0, 0, 7]\naxis = [0, 1, 0]\nmass = "
      "1\ncom = [0.5, 0, 0]\ninertia = [0, 0.083, 0.083]\neffort = 60\n[[joint]]\nname = "
      "'elbow'\nxyz = [1, 0, 0]\naxis = [0, 1, 0]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0, "
      "0.083, 0.083]\neffort = 60\n");
  const PayloadMap map =
      payload_map(arm, {.place = {"", {1, 0, 0}}, .poses = 4000, .rings = 8, .seed = 3});
  ASSERT_EQ(map.rings.size(), 8u);
  EXPECT_NEAR(map.rings.back().to, 2, 1e-4) << "the search finds the whole reach";
  const double stretched = (limit / g - 2) / 2;
  EXPECT_NEAR(map.rings.back().everywhere, stretched, 1e-3);
  EXPECT_NEAR(map.everywhere, stretched, 1e-3);
  EXPECT_EQ(map.rings.back().coordinate, "shoulder");
  EXPECT_TRUE(map.empty_holds);
  for (std::size_t k = 0; k < map.rings.size(); ++k) {
    const PayloadRing& r = map.rings[k];
    EXPECT_GE(r.somewhere, r.everywhere);
    if (k > 0) {
      EXPECT_LE(r.everywhere, map.rings[k - 1].everywhere * (1 + 1e-3));
    }
    // The pose is one in which exactly that mass is held.
    Engine engine(arm.with_payload(arm.tip(), r.everywhere, {1, 0, 0}),
                  {.threads = 1, .kernel = KernelKind::generic});
    std::vector<double> tau(2);
    engine.gravity(1, r.pose, tau);
    EXPECT_NEAR(std::max(std::abs(tau[0]), std::abs(tau[1])), limit, 1e-9);
  }
  const PayloadMap again = payload_map(
      arm, {.place = {"", {1, 0, 0}}, .poses = 4000, .rings = 8, .seed = 3, .threads = 1});
  EXPECT_EQ(again.everywhere, map.everywhere) << "it does not depend on threads";
  const PayloadMap margin =
      payload_map(arm, {.place = {"", {1, 0, 0}}, .margin = 0.5, .poses = 2000, .rings = 4});
  EXPECT_NEAR(margin.everywhere, (0.5 * limit / g - 2) / 2, 1e-3);
}

TEST(PayloadMap, RefusesWhatItCannotMap) {
  EXPECT_THROW(payload_map(single("revolute", "axis = [0, 1, 0]")), Error);
  EXPECT_THROW(payload_map(single("prismatic", "axis = [0, 0, 1]\neffort = 9")), Error);
  EXPECT_THROW(payload_map(single("spherical")), Error);
  EXPECT_THROW(payload_map(two_links(false), {.place = {"nowhere", {}}}), Error);
  const Robot weak = robot_of(
      "name = 'weak'\n[[joint]]\naxis = [0, 1, 0]\nmass = 9\ncom = [1, 0, 0]\ninertia = [0, 0, "
      "0]\neffort = 5\n");
  const PayloadMap map = payload_map(weak, {.place = {"", {1, 0, 0}}, .poses = 500, .rings = 3});
  EXPECT_FALSE(map.empty_holds);
  EXPECT_EQ(map.everywhere, 0);
}

// ---- motors in robot files

TEST(TomlMotor, IsReadAndWrittenBack) {
  const Robot robot = robot_of(pendulum);
  const std::string text = to_toml(robot.description());
  const Robot again = robot_of(text);
  for (const Robot& r : {robot, again}) {
    const JointDescription& j = r.description().joints[0];
    EXPECT_EQ(j.continuous_effort, 8);
    ASSERT_TRUE(j.motor);
    EXPECT_EQ(j.motor->torque, 0.5);
    EXPECT_EQ(j.motor->continuous_torque, 0.2);
    EXPECT_EQ(j.motor->speed, 200);
    EXPECT_EQ(j.motor->power, 40);
  }
  EXPECT_EQ(to_toml(again.description()), text);
  EXPECT_NE(to_toml_beside(robot.description(), "arm.urdf").find("motor = {torque = 0.5"),
            std::string::npos);
  // Locking the joint takes them away.
  const Robot two = two_links(false).with_locked({{"a", 0.1}});
  for (const JointDescription& j : two.description().joints)
    if (j.name == "a") {
      EXPECT_FALSE(std::isfinite(j.continuous_effort));
    }
}

TEST(TomlMotor, BadValuesAreRefusedWithTheirLine) {
  const auto refused = [](const std::string& more) {
    try {
      robot_of("name = 'x'\n[[joint]]\nname = 'j'\naxis = [0, 0, 1]\neffort = 10\n" + more + "\n");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refused("continuous_effort = -1").find(":6: joint 'j': continuous_effort is negative"),
            std::string::npos);
  EXPECT_NE(refused("continuous_effort = 11").find("exceeds effort 10"), std::string::npos);
  EXPECT_NE(refused("motor = {torque = 0}").find("torque is 0"), std::string::npos);
  EXPECT_NE(refused("motor = {torque = 1, continuous_torque = 2}").find("exceeds torque 1"),
            std::string::npos);
  EXPECT_NE(refused("type = 'spherical'\nmotor = {torque = 1}").find("spherical joint"),
            std::string::npos);
  EXPECT_EQ(refused("motor = {torque = 1, speed = '3000 deg'}"), "");
}

}  // namespace
}  // namespace parid::test
