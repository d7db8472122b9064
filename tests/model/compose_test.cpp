// Frames, tips, locked joints, attached robots, removed branches, rotors, repaired inertias.

#include <gtest/gtest.h>

#include <cmath>

#include "model/compose.hpp"
#include "model/format/load.hpp"
#include "model/lint/check.hpp"
#include "model/repair.hpp"
#include "parid/dynamics.hpp"
#include "parid/inverse_kinematics.hpp"
#include "parid/kinematics.hpp"
#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

std::string why(const auto& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

constexpr std::array<double, 9> quarter_about_z{0, -1, 0, 1, 0, 0, 0, 0, 1};

TEST(Frames, AreLinksToEveryQuantity) {
  const Robot bare = Robot::load("puma560");
  const Robot robot = bare.with_frame("tool", "link6", {0.1, 0.2, 0.3}, quarter_about_z);
  EXPECT_EQ(robot.nv(), bare.nv());
  EXPECT_EQ(robot.tip(), bare.tip());
  EXPECT_EQ(robot.tip_candidates(), bare.tip_candidates());
  const std::vector<double> q{0.1, -0.4, 0.3, 0.5, -0.6, 0.7};
  Kinematics k(robot);
  k.set(q);
  const LinkPose wrist = k.pose(robot.find_link("link6")), tool = k.pose(robot.find_link("tool"));
  for (int r = 0; r < 3; ++r) {
    const double* R = &wrist.rotation[static_cast<std::size_t>(3 * r)];
    EXPECT_NEAR(tool.position[static_cast<std::size_t>(r)],
                wrist.position[static_cast<std::size_t>(r)] + R[0] * 0.1 + R[1] * 0.2 + R[2] * 0.3,
                1e-14);
    EXPECT_NEAR(tool.rotation[static_cast<std::size_t>(3 * r)], R[1], 1e-14);
  }
  std::vector<double> J(36), at_point(36);
  k.jacobian(robot.find_link("tool"), J);
  k.jacobian(robot.find_link("link6"), at_point, {0.1, 0.2, 0.3});
  for (std::size_t i = 0; i < 36; ++i) EXPECT_NEAR(J[i], at_point[i], 1e-14);

  // A body at the frame is the body at that place on the link.
  const RandomState s{q, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}};
  const Torques a = torques(robot.with_payload("tool", 2), s),
                b = torques(bare.with_payload("link6", 2, {0.1, 0.2, 0.3}), s);
  EXPECT_LT(relative_error(a, b), 1e-13);
  InverseKinematics ik(robot, "tool");
  const IkSolution reached = ik.solve(tool, q);
  EXPECT_TRUE(reached.converged);

  EXPECT_NE(why([&] { bare.with_frame("link1", "link6", {}); }), "");
  EXPECT_NE(why([&] { bare.with_frame("tool", "link66", {}); }).find("link6"), std::string::npos);
  EXPECT_NE(why([&] { bare.with_frame("tool", "link6", {}, {1, 0, 0, 0, 1, 0, 0, 0, 2}); }), "");
}

TEST(Frames, OfADescriptionAreLoadedAndWrongOnesRemarkedOn) {
  Description d = load_description("planar2");
  d.frames = {{"tool", "link2", {}, 3}, {"link1", "link2", {}, 4}, {"x", "nobody", {}, 5}};
  const Robot robot(d);
  EXPECT_EQ(robot.link_names().back(), "tool");
  std::vector<std::string> codes;
  for (const Finding& f : check(robot.description())) codes.push_back(f.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"duplicate-frame", "unknown-frame-link"}));
}

// A body with two arms of one joint each, and a third link fixed to the first arm.
Description two_arms() {
  Description d;
  d.name = "two";
  const Inertia solid{1, {0.2, 0, 0}, {0.01, 0.02, 0.02, 0, 0, 0}};
  for (const char* name : {"base", "left", "right", "camera"}) {
    LinkDescription l;
    l.name = name;
    if (l.name != "base" && l.name != "camera") l.inertia = solid;
    d.links.push_back(l);
  }
  const auto join = [&](const char* name, JointType type, const char* parent, const char* child) {
    JointDescription j;
    j.name = name;
    j.type = type;
    j.parent = parent;
    j.child = child;
    j.axis = {0, 1, 0};
    j.origin.p = {0.1, 0, 0.2};
    d.joints.push_back(j);
  };
  join("l", JointType::revolute, "base", "left");
  join("r", JointType::revolute, "base", "right");
  join("c", JointType::fixed, "left", "camera");
  return d;
}

TEST(Tip, OfSeveralIsNamedOrRefused) {
  const Robot robot(two_arms());
  EXPECT_EQ(robot.tip_candidates(), (std::vector<std::string>{"right", "camera"}));
  const std::string refused = why([&] { robot.only_tip(); });
  EXPECT_NE(refused.find("several tips: right, camera"), std::string::npos) << refused;
  EXPECT_EQ(robot.with_tip("left").only_tip(), "left");
  EXPECT_EQ(Robot::load("puma560").only_tip(), "link6");
  EXPECT_NE(why([&] { robot.with_tip("middle"); }), "");
}

TEST(Locked, JointsMergeTheirLinksExactly) {
  const Robot robot = Robot::load("panda");
  const std::string elbow = robot.position_names()[3];
  const Robot locked = robot.with_locked({{elbow, 0.7}});
  ASSERT_EQ(locked.nv(), robot.nv() - 1);
  std::vector<double> q = robot.neutral(), v(static_cast<std::size_t>(robot.nv()), 0.3), a(v);
  q[3] = 0.7;
  v[3] = a[3] = 0;
  Workspace w(robot), x(locked);
  std::vector<double> tau(v.size()), less(v.size() - 1);
  inverse_dynamics(robot, w, q, v, a, tau);
  for (auto* each : {&q, &v, &a, &tau}) each->erase(each->begin() + 3);
  inverse_dynamics(locked, x, q, v, a, less);
  EXPECT_LT(relative_error(less, tau), 1e-13);
  EXPECT_NE(why([&] { robot.with_locked({{"nobody", 0}}); }), "");
  EXPECT_NE(why([&] { robot.with_locked({{elbow, NAN}}); }), "");
}

TEST(Locked, JointsTakeTheirMimicsWithThem) {
  Description d = two_arms();
  d.joints[1].mimic = Mimic{"l", -2, 0.1};
  const Robot robot(d);
  EXPECT_EQ(robot.nv(), 1);
  EXPECT_NE(why([&] { robot.with_locked({{"r", 0}}); }).find("lock joint 'l'"), std::string::npos);
  const Robot locked = robot.with_locked({{"l", 0.4}});
  EXPECT_EQ(locked.nv(), 0);
  const auto before = link_pose(robot, std::vector<double>{0.4}, "right").rotation,
             after = link_pose(locked, std::vector<double>{}, "right").rotation;
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(before[i], after[i], 1e-15);
}

TEST(Attached, RobotsAreOneMechanism) {
  const Robot arm = Robot::load("planar2"), hand = Robot::load("planar2");
  EXPECT_NE(why([&] { arm.with_attached(hand, "link2"); }).find("prefix"), std::string::npos);
  const Robot both = arm.with_attached(hand, "link2", "hand_", {1, 0, 0});
  ASSERT_EQ(both.nv(), 4);
  EXPECT_EQ(both.velocity_names()[2], "hand_" + hand.velocity_names()[0]);
  // The arm feels the hand as a payload while the hand does not move.
  Workspace w(both);
  std::vector<double> tau(4);
  inverse_dynamics(both, w, std::vector<double>{0.1, 0.2, 0, 0}, std::vector<double>{1, 2, 0, 0},
                   std::vector<double>{3, 4, 0, 0}, tau);
  const Robot stiff =
      both.with_locked({{both.velocity_names()[2], 0}, {both.velocity_names()[3], 0}});
  Workspace x(stiff);
  std::vector<double> less(2);
  inverse_dynamics(stiff, x, std::vector<double>{0.1, 0.2}, std::vector<double>{1, 2},
                   std::vector<double>{3, 4}, less);
  EXPECT_NEAR(less[0], tau[0], 1e-12);
  EXPECT_NEAR(less[1], tau[1], 1e-12);
  // An attached robot can be removed again.
  const Robot alone = both.without_branch("hand_" + hand.link_names()[0]);
  EXPECT_EQ(alone.link_names(), arm.link_names());
  EXPECT_EQ(alone.velocity_names(), arm.velocity_names());
}

TEST(Removed, BranchesGoWithWhatHangsOnThem) {
  Description d = two_arms();
  EXPECT_EQ(Robot(d).without_branch("left").link_names(),
            (std::vector<std::string>{"base", "right"}));
  EXPECT_NE(why([&] { Robot(d).without_branch("base"); }).find("root"), std::string::npos);
  d.joints[1].mimic = Mimic{"l", 1, 0};
  EXPECT_NE(why([&] { Robot(d).without_branch("left"); }).find("mimics"), std::string::npos);
}

TEST(Rotors, CanBeLeftOut) {
  Description d = two_arms();
  d.joints[0].rotor_inertia = 0.5;
  const Robot with(d), without = with.without_rotors();
  Workspace w(with), x(without);
  const std::vector<double> zero{0, 0}, one{1, 0};
  std::vector<double> a(2), b(2);
  inverse_dynamics(with, w, zero, zero, one, a);
  inverse_dynamics(without, x, zero, zero, one, b);
  EXPECT_NEAR(a[0] - b[0], 0.5, 1e-14);
}

TEST(Poses, AreNamedConfigurations) {
  Description d = two_arms();
  d.poses = {{"wave", {{"r", {0.5}}}, 0}};
  const Robot robot(d);
  EXPECT_EQ(robot.pose_names(), (std::vector<std::string>{"wave"}));
  EXPECT_EQ(robot.named_pose("wave"), (std::vector<double>{0, 0.5}));
  EXPECT_NE(why([&] { robot.named_pose("wav"); }).find("did you mean 'wave'"), std::string::npos);
}

TEST(Repair, FindsTheNearestInertiaThatABodyCanHave) {
  // Principal moments 1, 1, 5: second moments 2.5, 2.5, -1.5 about the axes.
  Sym3<double> I{1, 1, 5, 0, 0, 0};
  ASSERT_TRUE(make_consistent(I, 0));
  EXPECT_NEAR(I.xx, 2.5, 1e-12);
  EXPECT_NEAR(I.yy, 2.5, 1e-12);
  EXPECT_NEAR(I.zz, 5, 1e-12);
  EXPECT_FALSE(make_consistent(I, 0));
  Sym3<double> sound{2, 3, 4, 0.1, 0.2, 0.3};
  EXPECT_FALSE(make_consistent(sound, 0));
}

TEST(Repair, ListsEveryChangeAndLeavesNoError) {
  Description d = two_arms();
  d.links[1].inertia->about_com = {0.01, 0.01, 0.5, 0, 0, 0};
  d.links[2].inertia.reset();
  d.links[2].shapes = {
      {PrimitiveShape::Kind::cylinder, {0.1, 0.5, 0}, {}},
      {PrimitiveShape::Kind::box, {0.1, 0.2, 0.3}, {Mat3<double>::identity(), {1, 0, 0}}}};
  const std::vector<std::string> changes = repair_inertias(d, 500);
  EXPECT_EQ(changes.size(), 2u);
  for (const Finding& f : check(d)) EXPECT_EQ(f.severity, Finding::Severity::warning) << f.text();
  const double cylinder = 500 * M_PI * 0.01 * 0.5, box = 500 * 0.006;
  EXPECT_NEAR(d.links[2].inertia->mass, cylinder + box, 1e-12);
  EXPECT_NEAR(d.links[2].inertia->com.x, box / (cylinder + box), 1e-12);
  EXPECT_NEAR(d.links[2].inertia->about_com.xx,
              cylinder / 12 * (3 * 0.01 + 0.25) + box / 12 * (0.04 + 0.09), 1e-12);
  EXPECT_TRUE(repair_inertias(d, 500).empty());
}

}  // namespace
}  // namespace parid::test
