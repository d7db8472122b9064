// The peers compared with each other: their common results are the reference for our torques.

#include "peers/peer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

// Every pair of the named peers, on a few states of the robot.
void expect_agreement(Rng& rng, const Description& d, const std::vector<peers::Maker>& makers,
                      double tolerance = 1e-12) {
  std::vector<std::unique_ptr<peers::Peer>> verifiers;
  for (const peers::Maker& maker : makers)
    if (installed(maker)) verifiers.push_back(maker.make(d));
  if (verifiers.size() < 2) GTEST_SKIP() << "fewer than two of the peers are installed";
  for (int sample = 0; sample < 20; ++sample) {
    const RandomState s = random_state(rng, d);
    for (const auto& one : verifiers) {
      ASSERT_EQ(one->nq(), static_cast<int>(s.q.size()));
      ASSERT_EQ(one->nv(), static_cast<int>(s.v.size()));
      for (const auto& other : verifiers)
        EXPECT_LE(relative_error(torques(*one, s), torques(*other, s)), tolerance)
            << d.name << ", sample " << sample << ": " << one->name() << " against "
            << other->name();
    }
  }
}

constexpr peers::Maker kdl{"KDL", peers::kdl}, mujoco{"MuJoCo", peers::mujoco},
    dart{"DART", peers::dart};

TEST(Peers, AgreeOnChains) {
  Rng rng(560);
  for (int n = 1; n <= 12; ++n) {
    expect_agreement(rng, random_chain(rng, n), {kdl, mujoco, dart});
    expect_agreement(rng, random_chain(rng, n, {.prismatic = 0.5, .tips = true}),
                     {kdl, mujoco, dart});
  }
}

TEST(Peers, AgreeOnPlanarJoints) {
  Rng rng(3);
  for (int n = 1; n <= 4; ++n)
    expect_agreement(rng, random_chain(rng, n, {.planar = 1, .tips = true}), {kdl, mujoco, dart});
}

TEST(Peers, AgreeOnTreesWithFixedJoints) {
  Rng rng(17);
  for (int n : {5, 10, 20, 40})
    expect_agreement(
        rng, random_tree(rng, n, {.prismatic = 0.3, .fixed = 0.5, .planar = 0.1, .tips = true}),
        {mujoco, dart});
}

TEST(Peers, AgreeOnFloatingBases) {
  Rng rng(18);
  for (int i = 0; i < 5; ++i) expect_agreement(rng, random_quadruped(rng), {mujoco, dart});
  expect_agreement(rng, random_tree(rng, 12, {.floating_base = true, .tips = true}),
                   {mujoco, dart});
}

TEST(Peers, AgreeOnSphericalJoints) {
  Rng rng(4);
  for (int n : {1, 2, 6})
    expect_agreement(rng, random_tree(rng, n, {.spherical = 1, .tips = true}), {mujoco, dart});
}

// Measured inertias need not be physical; the equations do not mind.
TEST(Peers, AgreeOnBrokenTriangleInequality) {
  Rng rng(8);
  Description d = random_chain(rng, 3);
  d.links[2].inertia->about_com = {0.066, 0.0125, 0.086, 0, 0, 0};  // 0.066 + 0.0125 < 0.086
  d.links[3].inertia->about_com = {};                               // a point
  expect_agreement(rng, d, {kdl, mujoco, dart});
}

TEST(Peers, AgreeOnMasslessLinks) {
  Rng rng(9);
  Description d = random_chain(rng, 6);
  for (int i : {2, 3, 6}) d.links[i].inertia.reset();
  expect_agreement(rng, d, {kdl, dart});
}

// Merging what fixed joints carry is ours; a hinge that is held still does the same without it.
TEST(Peers, FixedJointIsAHingeAtRest) {
  Rng rng(5);
  for (const peers::Maker& maker : peers::makers) {
    if (!installed(maker)) continue;
    const Description fixed = random_chain(rng, 8, {.prismatic = 0.5, .fixed = 1, .tips = true});
    Description hinged = fixed;
    for (JointDescription& j : hinged.joints)
      if (j.type == JointType::fixed) j.type = JointType::revolute;
    const RandomState moving = random_state(rng, fixed);
    RandomState held;
    std::vector<bool> free;
    std::size_t next = 0;
    for (const JointDescription& j : fixed.joints) {
      free.push_back(j.type != JointType::fixed);
      held.q.push_back(free.back() ? moving.q[next] : 0);
      held.v.push_back(free.back() ? moving.v[next] : 0);
      held.a.push_back(free.back() ? moving.a[next] : 0);
      next += free.back();
    }
    const auto with_hinges = maker.make(hinged);
    const Torques all = torques(*with_hinges, held);
    Torques expected;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (free[i]) expected.push_back(all[i]);
    EXPECT_LE(relative_error(torques(*maker.make(fixed), moving), expected), 1e-12) << maker.name;
  }
}

// By hand: a box on a floating joint, at rest or turning, must be held against gravity and need
// m (a + w × v) where its centre of mass is its origin.
TEST(Peers, FloatingBodyByHand) {
  Description d;
  d.links = {{"world", {}}, {"box", Inertia{2, {}, {1, 2, 3, 0, 0, 0}}}};
  JointDescription j;
  j.name = "base";
  j.type = JointType::floating;
  j.parent = "world";
  j.child = "box";
  d.joints = {j};
  d.gravity = {0, 0, -10};
  const RandomState s{{5, 6, 7, std::sqrt(0.5), 0, 0, std::sqrt(0.5)},  // a quarter turn about x
                      {1, 0, 0, 0, 0, 4},
                      {0, 0, 3, 0, 5, 0}};
  // Gravity's reaction is world z, the body's y: 20. w × v = (0, 4, 0). Euler: J ẇ = (0, 10, 0).
  const Torques expected = {0, 8 + 20, 6, 0, 10, 0};
  for (const peers::Maker& maker : {mujoco, dart}) {
    if (!installed(maker)) continue;
    EXPECT_LE(relative_error(torques(*maker.make(d), s), expected), 1e-14) << maker.name;
  }
}

// Coordinates are in the file's order, for any structure.
TEST(Peers, FollowTheFilesOrder) {
  Rng rng(6);
  const RandomRobot options{.prismatic = 0.5, .planar = 0.3, .tips = true};
  for (const peers::Maker& maker : peers::makers) {
    if (!installed(maker)) continue;
    const Description d = random_chain(rng, 6, options);
    Description reversed = d;
    std::reverse(reversed.joints.begin(), reversed.joints.end());
    auto turned = [&](const Torques& x) {
      Torques out;
      std::size_t end = x.size();
      for (const JointDescription& j : reversed.joints) {
        const std::size_t n = velocity_count(j);
        out.insert(out.end(), x.begin() + (end - n), x.begin() + end);
        end -= n;
      }
      return out;
    };
    const RandomState s = random_state(rng, d);
    const RandomState back{turned(s.q), turned(s.v), turned(s.a)};  // nq = nv for these joints
    EXPECT_EQ(torques(*maker.make(reversed), back), turned(torques(*maker.make(d), s)))
        << maker.name;
  }
}

std::string refusal(const peers::Maker& maker, const Description& d) {
  try {
    maker.make(d);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(Peers, SayWhatTheyCannot) {
  Rng rng(7);
  Description mimic = random_chain(rng, 3);
  mimic.joints[2].mimic = Mimic{"joint1"};
  for (const peers::Maker& maker : peers::makers) {
    if (!installed(maker)) continue;
    EXPECT_EQ(refusal(maker, mimic),
              std::string(maker.name) + " cannot: joint 'joint3' is a mimic joint");
  }
  if (installed(kdl)) {
    EXPECT_EQ(refusal(kdl, random_quadruped(rng)),
              "KDL cannot: joint 'joint1' is spherical or floating");
    Description branching = random_chain(rng, 3);
    branching.joints[2].parent = "link1";
    EXPECT_EQ(refusal(kdl, branching), "KDL cannot: the robot branches before joint 'joint3'");
  }
  if (installed(mujoco)) {
    Description massless = random_chain(rng, 3);
    massless.links.back().inertia.reset();
    const std::string why = refusal(mujoco, massless);
    EXPECT_EQ(why.find("MuJoCo cannot: "), 0u) << why;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace parid::test
