// CanonicalModel frames: as sparse as the robot allows, and never seen by users.

#include "model/canonical_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "model/format/load.hpp"
#include "model/frame.hpp"
#include "model/lint/check.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/model/same_robot.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

Pose<double> placing(const CanonicalModel& c, int i) {
  return {c.mechanism.placing[i].mat(0), c.mechanism.placing[i].vec(9)};
}

TEST(CanonicalModel, ThePumasFramesAreItsDenavitHartenbergFrames) {
  const Robot robot = Robot::load("puma560");
  const CanonicalModel& c = robot.canonical();
  const double cosine[] = {1, 0, 1, 0, 0, 0}, sine[] = {0, -1, 0, 1, -1, 1};  // of the twists
  ASSERT_EQ(c.topology.n, 6);
  EXPECT_TRUE(c.topology.all_revolute);
  EXPECT_TRUE(c.topology.all_twist_turns);
  for (int i = 1; i <= 6; ++i) {
    const Mat3<double> E = placing(c, i).R;
    // A turn about x by a right angle or none, up to the senses that x and z may have: exact zeros
    // and ones, and x kept.
    EXPECT_EQ(std::abs(E.r0.x), 1) << i;
    EXPECT_EQ(std::abs(E.r1.y), std::abs(cosine[i - 1])) << i;
    EXPECT_EQ(std::abs(E.r2.y), std::abs(sine[i - 1])) << i;
    for (double zero : {E.r0.y, E.r0.z, E.r1.x, E.r2.x}) EXPECT_EQ(zero, 0) << i;
    EXPECT_EQ(c.topology.parent[i], i - 1);
    EXPECT_EQ(c.topology.kind[i], JointKind::revolute);
  }
  // Nonzero values: d2 and d3 together (axes 2 and 3 are parallel, so both may be before joint 2),
  // a2, a3 and d4.
  int zeros = 0;
  for (int i = 1; i <= 6; ++i)
    for (double x : {placing(c, i).p.x, placing(c, i).p.y, placing(c, i).p.z}) zeros += x == 0;
  EXPECT_EQ(zeros, 18 - 4);
}

TEST(CanonicalModel, DenavitHartenbergRobotsAreTwistsAndTurns) {
  for (const char* name :
       {"puma560", "puma560-3", "puma560-positioning", "stanford", "stanford-3", "scara", "planar2",
        "planar3", "panda", "ur5", "chain:12", "orthogonal:12"}) {
    const Robot robot = Robot::load(name);
    const CanonicalModel& c = robot.canonical();
    EXPECT_TRUE(c.topology.all_twist_turns) << name;
    for (int i = 1; i <= c.topology.n; ++i)
      EXPECT_EQ(placing(c, i).R.r0.z, 0) << name << ", joint " << i;
  }
}

TEST(CanonicalModel, RightAnglesStayExact) {
  for (const char* name : {"puma560", "stanford", "scara", "panda", "ur5", "orthogonal:12"}) {
    const Robot robot = Robot::load(name);
    const CanonicalModel& c = robot.canonical();
    for (int i = 1; i <= c.topology.n; ++i) {
      const Mat3<double> E = placing(c, i).R;
      for (const Vec3<double>& row : {E.r0, E.r1, E.r2})
        for (double x : {row.x, row.y, row.z})
          EXPECT_TRUE(x == 0 || x == 1 || x == -1) << name << ", joint " << i << ": " << x;
    }
  }
}

// Two turns by 45° are one by 90° but for the last place.
TEST(CanonicalModel, NearlyRightAnglesAreRight) {
  Description d = Robot::load("chain:6").description();
  const double eighth = std::numbers::pi / 4;
  double inexact = 0;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    JointDescription& j = d.joints[k];
    const Vec3<double> half = k % 3 == 0   ? Vec3<double>{eighth, 0, 0}
                              : k % 3 == 1 ? Vec3<double>{0, -eighth, 0}
                                           : Vec3<double>{-3 * eighth, 0, 0};
    j.origin.R = rotation_rpy(half) * rotation_rpy(half);
    j.tip = {Mat3<double>::identity(), {}};
    j.axis = {0, 0, 1};
    for (const double x : {j.origin.R.r0.x, j.origin.R.r0.z, j.origin.R.r1.z, j.origin.R.r2.y})
      inexact += std::abs(x - std::round(x));
  }
  EXPECT_GT(inexact, 0);
  const Robot robot(d);
  for (int i = 1; i <= 6; ++i) {
    const Mat3<double> E = placing(robot.canonical(), i).R;
    for (const Vec3<double>& row : {E.r0, E.r1, E.r2})
      for (double x : {row.x, row.y, row.z})
        EXPECT_TRUE(x == 0 || x == 1 || x == -1) << "joint " << i << ": " << x - std::round(x);
  }
}

// Any chain of hinges has Denavit-Hartenberg frames; the turn about z goes into the offset.
TEST(CanonicalModel, AngleOffsetsTakeUpTheTurnsAboutZ) {
  Rng rng(1);
  const Robot robot(random_chain(rng, 8));
  const CanonicalModel& c = robot.canonical();
  int offsets = 0;
  for (int i = 2; i <= 7; ++i) {  // the first has the base before it, the last no axis after it
    const Mat3<double> E = placing(c, i).R;
    EXPECT_NEAR(E.r0.z, 0, 1e-15) << i;
    if (E.r0.z != 0) continue;
    EXPECT_EQ(E.r0.x, 1) << i;
    EXPECT_EQ(E.r0.y, 0) << i;
    offsets += c.joint[i].offset != 0;
  }
  EXPECT_GT(offsets, 0);
}

TEST(CanonicalModel, RotationsAreRotations) {
  for (int seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    Description d = random_tree(
        rng, 12, {.prismatic = 0.3, .fixed = 0.2, .planar = 0.1, .spherical = 0.1, .tips = true});
    for (JointDescription& j : d.joints)
      if (rng() % 3 == 0)
        j.origin.R = rotation_about(random_direction(rng), std::pow(10, uniform(rng, -12, 0)));
    const Robot robot(d);
    const CanonicalModel& c = robot.canonical();
    for (int i = 1; i <= c.topology.n; ++i) {
      const Mat3<double> E = placing(c, i).R, I = E * transposed(E);
      for (int k = 0; k < 3; ++k) {
        EXPECT_LT(c.topology.parent[i], i);
        EXPECT_NEAR(norm(I.column(k)), 1, 1e-14);
        EXPECT_NEAR(dot(E.column(k), E.column((k + 1) % 3)), 0, 1e-14);
      }
      EXPECT_NEAR(dot(E.column(0), cross(E.column(1), E.column(2))), 1, 1e-14);
    }
  }
}

// The pose of every link of the description through the mechanism, including fixed ones and tips.
TEST(CanonicalModel, EveryLinkStaysWhereTheFilePutsIt) {
  for (int seed = 0; seed < 30; ++seed) {
    Rng rng(100 + seed);
    Description d = seed == 0   ? load_description("humanoid")
                    : seed == 1 ? load_description("panda")
                                : random_tree(rng, 12,
                                              {.prismatic = 0.3,
                                               .fixed = 0.4,
                                               .planar = 0.1,
                                               .spherical = 0.1,
                                               .floating_base = seed % 2 == 0,
                                               .tips = true});
    if (seed % 4 == 3) {
      d.joints[3].type = d.joints[7].type = JointType::revolute;
      d.joints[3].mimic = Mimic{d.joints[7].name, -1.5, 0.4};
    }
    const Robot robot(d);
    const CanonicalModel& c = robot.canonical();
    const RandomState s = random_state(rng, d);
    State<double> motion(c.mechanism);
    auto read = [](const std::vector<double>& x) { return [&x](int k) { return x[k]; }; };
    load_state(c, motion, read(s.q), read(s.v), read(s.a));
    motion.place(c.mechanism);
    std::vector<Pose<double>> frame(c.topology.n + 1);  // in frame 0
    for (int i = 1; i <= c.topology.n; ++i)
      frame[i] = frame[c.topology.parent[i]] * Pose<double>{motion.R(i), motion.p(i)};
    const std::vector<Pose<double>> expected = link_poses(d, s.q);
    ASSERT_EQ(c.link.size(), d.links.size());
    const Pose<double> to_root = inverse(c.link[0].pose);  // the root is the first link of these
    for (std::size_t k = 0; k < d.links.size(); ++k) {
      const Pose<double> at = to_root * frame[c.link[k].link] * c.link[k].pose;
      EXPECT_LE(norm(at.p - expected[k].p), 1e-13 * (1 + norm(expected[k].p))) << d.links[k].name;
      for (int h = 0; h < 3; ++h)
        EXPECT_LE(norm(at.R.column(h) - expected[k].R.column(h)), 1e-13) << d.links[k].name;
    }
  }
}

TEST(CanonicalModel, FixedJointsAreMerged) {
  Rng rng(2);
  const Robot robot(random_quadruped(rng));  // a trunk, four legs of three hinges, four fixed feet
  EXPECT_EQ(robot.canonical().topology.n, 13);
  EXPECT_EQ(robot.nv(), 18);
  EXPECT_EQ(robot.nq(), 19);
  EXPECT_EQ(robot.link_names().size(), 18u);
  double described = 0, merged = 0;
  for (std::size_t k = 1; k < robot.description().links.size(); ++k)
    described += robot.description().links[k].inertia->mass;
  for (int i = 1; i <= 13; ++i) merged += robot.canonical().mechanism.body[i][0];
  EXPECT_NEAR(merged, described, 1e-13);
  for (const char* foot : {"link5", "link9", "link13", "link17"}) {
    const LinkPlace& at = robot.canonical().link[robot.find_link(foot)];
    const LinkPlace& shin = robot.canonical().link[robot.find_link(foot) - 1];
    EXPECT_EQ(at.link, shin.link) << foot;
  }
  EXPECT_THROW(robot.find_link("link99"), Error);
}

TEST(CanonicalModel, APlanarJointIsTwoSlidesAndATurn) {
  Rng rng(3);
  const Robot robot(random_chain(rng, 2, {.revolute = 0, .planar = 1}));
  const Topology& t = robot.canonical().topology;
  ASSERT_EQ(t.n, 6);
  for (int i : {1, 2, 4, 5}) EXPECT_EQ(t.kind[i], JointKind::prismatic);
  for (int i : {3, 6}) EXPECT_EQ(t.kind[i], JointKind::revolute);
}

// Coordinates are in the order of the file's joints, for any structure.
TEST(CanonicalModel, CoordinatesFollowTheFile) {
  for (int seed = 0; seed < 20; ++seed) {
    Rng rng(200 + seed);
    const Description d = random_tree(rng, 9,
                                      {.prismatic = 0.3,
                                       .fixed = 0.2,
                                       .planar = 0.2,
                                       .spherical = 0.2,
                                       .floating_base = seed % 2 == 0,
                                       .tips = true});
    std::vector<int> order(d.joints.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng() % k]);
    Description odd = d;
    for (std::size_t k = 0; k < order.size(); ++k) odd.joints[k] = d.joints[order[k]];
    std::reverse(odd.links.begin(), odd.links.end());

    const RandomState s = random_state(rng, d);
    const Robot robot(d), shuffled(odd);
    const Torques tau = torques(robot, s);
    const Coordinates at(d);
    RandomState t;
    Torques expected;
    std::vector<std::string> names;
    for (int k : order) {
      const JointDescription& j = d.joints[k];
      t.q.insert(t.q.end(), s.q.begin() + at.q[k], s.q.begin() + at.q[k] + position_count(j));
      t.v.insert(t.v.end(), s.v.begin() + at.v[k], s.v.begin() + at.v[k] + velocity_count(j));
      t.a.insert(t.a.end(), s.a.begin() + at.v[k], s.a.begin() + at.v[k] + velocity_count(j));
      expected.insert(expected.end(), tau.begin() + at.v[k],
                      tau.begin() + at.v[k] + velocity_count(j));
      for (const char* part : velocity_parts(j.type)) names.push_back(j.name + part);
    }
    EXPECT_EQ(shuffled.velocity_names(), names);
    EXPECT_LE(relative_error(torques(shuffled, t), expected), 1e-12) << seed;
  }
}

TEST(CanonicalModel, ARobotMayBeASingleLink) {
  Description d;
  d.name = "rock";
  d.links.push_back({"rock", Inertia{1, {}, {1, 1, 1, 0, 0, 0}}, 0, 0});
  const Robot robot(d);
  EXPECT_EQ(robot.nq(), 0);
  EXPECT_EQ(robot.canonical().topology.n, 0);
  EXPECT_TRUE(torques(robot, {}).empty());
}

// The same robot, of another size.
Description scaled(Description d, double s) {
  d.gravity = s * d.gravity;
  for (LinkDescription& l : d.links)
    if (l.inertia) {
      l.inertia->com = s * l.inertia->com;
      Sym3<double>& I = l.inertia->about_com;
      for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *x *= s * s;
    }
  for (JointDescription& j : d.joints) {
    j.origin.p = s * j.origin.p;
    j.tip.p = s * j.tip.p;
    if (j.type != JointType::prismatic) j.rotor_inertia *= s * s;
  }
  return d;
}

// Robots of micrometres are checked and computed as well as those of metres. A power of two, so
// that scaling itself rounds nothing.
TEST(CanonicalModel, SizeDoesNotCount) {
  Rng rng(31);
  RandomRobot options;
  options.prismatic = 0.7;
  options.fixed = 0.2;
  options.planar = 0.2;
  for (int trial = 0; trial < 12; ++trial) {
    options.tips = trial % 2 == 1;
    const Description d = random_tree(rng, 6, options);
    const RandomState s = random_state(rng, d);
    std::vector<bool> slides;
    for (const JointDescription& j : d.joints)
      for (int k = 0; k < velocity_count(j.type); ++k)
        slides.push_back(j.type == JointType::prismatic || (j.type == JointType::planar && k < 2));
    for (const double by : {0x1p-20, 0x1p-30, 0x1p10}) {
      const Description small = scaled(d, by);
      for (const Finding& f : check(small))
        EXPECT_NE(f.severity, Finding::Severity::error) << by << ": " << f.text();
      RandomState t = s;
      for (std::size_t k = 0; k < slides.size(); ++k)
        for (double* x : {&t.q[k], &t.v[k], &t.a[k]}) *x *= slides[k] ? by : 1;
      const Robot large{d}, little{small};
      Workspace w(large), x(little);
      std::vector<double> tau(large.nv()), got(large.nv());
      inverse_dynamics(large, w, s.q, s.v, s.a, tau);
      inverse_dynamics(little, x, t.q, t.v, t.a, got);
      double size = 0;
      for (const double y : tau) size = std::max(size, std::abs(y));
      for (std::size_t k = 0; k < slides.size(); ++k)
        EXPECT_NEAR(got[k] / (slides[k] ? by : by * by), tau[k], 1e-12 * size) << by << ", " << k;
    }
  }
}

TEST(CanonicalModel, AnAxisMayHaveAnyLength) {
  Rng rng(32);
  const Description d = random_chain(rng, 5);
  for (const double length : {1e-160, 1e-300, 1e160, 1e300}) {
    Description other = d;
    for (JointDescription& j : other.joints) j.axis = length * j.axis;
    same_torques(d, other);
  }
}

}  // namespace
}  // namespace parid::test
