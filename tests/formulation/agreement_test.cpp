// Our torques against those of libraries written elsewhere, and against themselves where those
// libraries cannot follow: mimic joints, a moving base, wrenches, rotors.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "model/floating.hpp"
#include "model/format/builtin.hpp"
#include "model/format/load.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/lint/check.hpp"
#include "parid/engine.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/torques.hpp"
#include "tests/unzipped.hpp"

namespace parid::test {
namespace {

constexpr double tolerance = 1e-11;

// The worst error against each peer, printed when all is done.
class Worst : public testing::Environment {
 public:
  static void note(const std::string& robot, const std::string& peer, double error) {
    double& worst = table()[{robot, peer}];
    worst = std::max(worst, error);
  }
  void TearDown() override {
    for (const auto& [key, error] : table())
      std::printf("%-28s %-7s %.1e\n", key.first.c_str(), key.second.c_str(), error);
  }

 private:
  static std::map<std::pair<std::string, std::string>, double>& table() {
    static std::map<std::pair<std::string, std::string>, double> t;
    return t;
  }
};
[[maybe_unused]] const auto* const worst_errors = testing::AddGlobalTestEnvironment(new Worst);

std::vector<std::unique_ptr<peers::Peer>> peers_that_can(const Description& d) {
  std::vector<std::unique_ptr<peers::Peer>> able;
  for (const peers::Maker& maker : peers::makers) try {
      able.push_back(maker.make(d));
    } catch (const std::runtime_error&) {
    }
  return able;
}

std::vector<double> rows(const std::vector<RandomState>& states,
                         std::vector<double> RandomState::*part) {
  std::vector<double> all;
  for (const RandomState& s : states) all.insert(all.end(), (s.*part).begin(), (s.*part).end());
  return all;
}

// Both entry points against every peer that can. `d` is the robot as the peers are to see it.
void expect_agreement(const Robot& robot, const Description& d, Rng& rng, int samples) {
  std::vector<RandomState> states;
  for (int k = 0; k < samples; ++k) states.push_back(random_state(rng, d));
  Engine engine(robot, {.threads = 2, .kernel = KernelKind::generic});
  std::vector<double> batch(static_cast<std::size_t>(samples) * robot.nv());
  engine.inverse_dynamics(samples, rows(states, &RandomState::q), rows(states, &RandomState::v),
                          rows(states, &RandomState::a), batch);
  Workspace workspace(robot);
  const auto peers = peers_that_can(d);
  for (int k = 0; k < samples; ++k) {
    const Torques one = torques(robot, workspace, states[k]);
    const Torques row(batch.begin() + k * robot.nv(), batch.begin() + (k + 1) * robot.nv());
    for (const auto& peer : peers) {
      const Torques theirs = torques(*peer, states[k]);
      const double error = std::max(relative_error(one, theirs), relative_error(row, theirs));
      Worst::note(d.name, peer->name(), error);
      ASSERT_LE(error, tolerance) << d.name << ", sample " << k << ", against " << peer->name();
    }
  }
}
void expect_agreement(const Description& d, Rng& rng, int samples) {
  expect_agreement(Robot(d), d, rng, samples);
}

std::vector<std::string> all_builtins() {
  std::vector<std::string> names;
  for (const BuiltinRobot& robot : builtin_robots())
    if (robot.name.find(':') == std::string::npos) names.push_back(robot.name);
  names.insert(names.end(), {"chain:1", "chain:12", "chain:64", "orthogonal:7", "orthogonal:64"});
  return names;
}

TEST(Agreement, OnTheBuiltInRobots) {
  Rng rng(560);
  for (const std::string& name : all_builtins())
    expect_agreement(load_description(name), rng, 1000);
}

TEST(Agreement, OnRobotsThatFloat) {
  Rng rng(7);
  for (const char* name : {"panda", "puma560", "chain:12"}) {
    Description d = load_description(name);
    if (!d.links[0].inertia) d.links[0].inertia = random_inertia(rng);  // as a pedestal needs
    float_root(d);
    d.name += " --floating";
    expect_agreement(d, rng, 1000);
  }
}

TEST(Agreement, WhereGravityPointsElsewhere) {
  Rng rng(8);
  for (const char* name : {"puma560", "stanford", "panda", "quadruped"})
    for (int k = 0; k < 5; ++k) {
      Description d = load_description(name);
      const Vec3<double> g = uniform(rng, 0, 30) * random_direction(rng);
      const Robot robot = Robot(d).with_gravity({g.x, g.y, g.z});
      d.gravity = g;
      d.name += ", other gravity";
      expect_agreement(robot, d, rng, 100);
    }
}

// Where the payload's mass, centre and inertia are merged by Steiner's rule, by hand.
TEST(Agreement, WithAPayload) {
  Rng rng(9);
  for (const char* name : {"puma560", "panda", "ur5", "humanoid"})
    for (int k = 0; k < 5; ++k) {
      Description d = load_description(name);
      const std::size_t at = 1 + rng() % (d.links.size() - 1);
      const Inertia load = random_inertia(rng);
      const Sym3<double>& I = load.about_com;
      const Robot robot =
          Robot(d).with_payload(d.links[at].name, load.mass, {load.com.x, load.com.y, load.com.z},
                                {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
      const Inertia own = d.links[at].inertia.value_or(Inertia{});
      const double m = own.mass + load.mass;
      const Vec3<double> apart = load.com - own.com;
      const Mat3<double> steiner =
          (own.mass * load.mass / m) *
          (dot(apart, apart) * Mat3<double>::identity() - outer(apart, apart));
      d.links[at].inertia = Inertia{m, own.com + (load.mass / m) * apart,
                                    symmetric(full(own.about_com) + full(I) + steiner)};
      d.name += ", payload";
      expect_agreement(robot, d, rng, 100);
    }
}

TEST(Agreement, OnRandomChains) {
  for (int seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Description d = random_chain(rng, 1 + seed % 15,
                                 {.prismatic = seed % 3 * 0.3,
                                  .fixed = seed % 2 * 0.3,
                                  .planar = seed % 5 == 0 ? 0.3 : 0.0,
                                  .tips = seed % 2 == 1});
    d.name = "random chains";
    expect_agreement(d, rng, 50);
  }
}

TEST(Agreement, OnRandomTrees) {
  for (int seed = 0; seed < 60; ++seed) {
    Rng rng(1000 + seed);
    Description d = random_tree(rng, 1 + seed % 30,
                                {.prismatic = 0.3,
                                 .fixed = 0.3,
                                 .planar = 0.1,
                                 .spherical = seed % 2 * 0.2,
                                 .floating_base = seed % 3 == 0,
                                 .tips = seed % 2 == 1});
    d.name = "random trees";
    expect_agreement(d, rng, 50);
  }
}

TEST(Agreement, OnRandomQuadrupeds) {
  for (int seed = 0; seed < 20; ++seed) {
    Rng rng(2000 + seed);
    Description d = random_quadruped(rng);
    d.name = "random quadrupeds";
    expect_agreement(d, rng, 50);
  }
}

TEST(Agreement, OnSphericalAndPlanarJoints) {
  for (int seed = 0; seed < 20; ++seed) {
    Rng rng(3000 + seed);
    for (const RandomRobot& options : {RandomRobot{.revolute = 0, .spherical = 1, .tips = true},
                                       RandomRobot{.revolute = 0, .planar = 1, .tips = true}}) {
      Description d = random_chain(rng, 1 + seed % 6, options);
      d.name = options.planar > 0 ? "planar joints" : "spherical joints";
      expect_agreement(d, rng, 50);
    }
  }
}

// Two axes nearly parallel have a common normal too, but it may be kilometres away. Files that
// round a right angle to 1.5708 are full of them.
TEST(Agreement, WhereAxesAreNearlyParallel) {
  for (double angle = 1; angle > 1e-17; angle /= 4)
    for (int seed = 0; seed < 6; ++seed) {
      Rng rng(4000 + seed);
      Description d = random_chain(rng, 6, {.prismatic = seed % 3 * 0.3});
      for (JointDescription& j : d.joints) {
        j.axis = {0, 0, 1};
        const Vec3<double> tilt = seed % 2 ? Vec3<double>{1, 0, 0} : random_direction(rng);
        j.origin.R = rotation_about(tilt, angle);
      }
      d.name = "nearly parallel axes";
      expect_agreement(d, rng, 20);
    }
}

// A long way from the base to the robot, or from a link's frame to its axis, is the file's
// business.
TEST(Agreement, WhereFramesAreFarAway) {
  Rng rng(5);
  for (int k = 0; k < 10; ++k) {
    Description d = random_chain(rng, 6);
    const Pose<double> away = random_pose(rng, 1000);
    d.joints[0].origin = away * d.joints[0].origin;
    d.name = "a base far away";
    expect_agreement(d, rng, 20);
  }
}

// Robots that Debian packages have installed on this machine.
TEST(Agreement, OnOtherPeoplesUrdfs) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const char* place :
       {"/usr/share/doc/dart", "/usr/share/doc/simbody", "/usr/share/simbody", "/usr/share/morse"})
    if (fs::exists(place))
      for (const auto& entry : fs::recursive_directory_iterator(place))
        if (const std::string path = entry.path();
            path.ends_with(".urdf") || path.ends_with(".urdf.gz"))
          files.push_back(path);
  std::sort(files.begin(), files.end());
  int agreed = 0;
  Rng rng(11);
  for (const std::string& file : files) {
    const std::string name = fs::path(file).filename();
    try {
      Description d = parse_urdf(unzipped(file), name);
      const Robot robot(d);
      if (robot.nv() == 0) continue;
      for (JointDescription& j : d.joints) {  // the state is ours to choose
        if (!(j.limits.lower < j.limits.upper)) j.limits = {};
      }
      if (std::any_of(d.joints.begin(), d.joints.end(),
                      [](const JointDescription& j) { return j.mimic.has_value(); }))
        continue;
      d.name = name;
      expect_agreement(robot, d, rng, 200);
      ++agreed;
    } catch (const Error& e) {
      std::printf("left out: %s\n", e.what());
    }
  }
  if (agreed == 0)
    GTEST_SKIP()
        << "no package with URDF files that pass check() is installed (dart-doc, libsimbody-dev)";
}

// ---- robots that peers do not support
// -------------------------------------------------------------

// With qf = m q + o the leader's torque contains m times that of the mimic joint.
TEST(Agreement, AMimicJointLeavesItsTorqueToItsLeader) {
  for (int seed = 0; seed < 30; ++seed) {
    Rng rng(6000 + seed);
    Description d =
        random_tree(rng, 8, {.prismatic = 0.3, .floating_base = seed % 3 == 0, .tips = true});
    Description free = d;
    const int leader = 3, follower = 1 + seed % 2, second = 6;  // joint 0 may float
    const double m = uniform(rng, -2, 2), o = uniform(rng, -1, 1), m2 = uniform(rng, -2, 2),
                 o2 = uniform(rng, -1, 1);
    d.joints[follower].mimic = Mimic{d.joints[leader].name, m, o};
    d.joints[second].mimic = Mimic{d.joints[follower].name, m2, o2};  // follows the follower
    const Robot robot(d);

    const RandomState led = random_state(rng, d);
    RandomState all;  // of the robot without mimics
    const Coordinates at(d), at_free(free);
    Torques expected(robot.nv(), 0);
    auto copy = [&](const std::vector<double>& from, int begin, int count,
                    std::vector<double>& into, double scale = 1, double offset = 0) {
      for (int k = 0; k < count; ++k) into.push_back(scale * from[begin + k] + offset);
    };
    for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
      const MimicSource f = mimic_source(d, k);
      const int nq = position_count(free.joints[k]), nv = velocity_count(free.joints[k]);
      copy(led.q, at.q[f.joint], nq, all.q, f.scale, f.offset);
      copy(led.v, at.v[f.joint], nv, all.v, f.scale);
      copy(led.a, at.v[f.joint], nv, all.a, f.scale);
    }
    const Torques apart = torques(Robot(free), all);
    for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
      const MimicSource f = mimic_source(d, k);
      for (int h = 0; h < velocity_count(free.joints[k]); ++h)
        expected[at.v[f.joint] + h] += f.scale * apart[at_free.v[k] + h];
    }
    EXPECT_LE(relative_error(torques(robot, led), expected), 1e-12) << seed;
    EXPECT_EQ(mimic_source(d, second).joint, leader);
  }
}

// A robot on a moving base has the torques of a floating one whose base is driven in that way.
TEST(Agreement, AMovingBaseIsAFloatingOneThatIsDriven) {
  for (int seed = 0; seed < 40; ++seed) {
    Rng rng(7000 + seed);
    Description d =
        seed == 0 ? load_description("panda")
        : seed == 1
            ? load_description("stanford")
            : random_tree(rng, 9,
                          {.prismatic = 0.3, .planar = 0.1, .spherical = 0.2, .tips = true});
    const Vec3<double> w = uniform_vector(rng, 3), wd = uniform_vector(rng, 10),
                       vd = uniform_vector(rng, 10), v = uniform_vector(rng, 3);
    const Robot bolted(d);
    const RandomState s = random_state(rng, d);
    Workspace workspace(bolted);
    workspace.set_base_motion({w.x, w.y, w.z}, {wd.x, wd.y, wd.z}, {vd.x, vd.y, vd.z});
    const Torques ours = torques(bolted, workspace, s);

    Description afloat = d;
    const UnitQuaternion turn = random_quaternion(rng);  // base to world; gravity turns with it
    afloat.gravity = rotation_of(turn.x, turn.y, turn.z, turn.w) * d.gravity;
    if (!afloat.links[0].inertia)
      afloat.links[0].inertia = random_inertia(rng);  // what carries it needs mass
    float_root(afloat);
    const Vec3<double> a = vd - cross(w, v);
    RandomState driven = s;
    driven.q.insert(driven.q.begin(), {1, 2, 3, turn.x, turn.y, turn.z, turn.w});
    driven.v.insert(driven.v.begin(), {v.x, v.y, v.z, w.x, w.y, w.z});
    driven.a.insert(driven.a.begin(), {a.x, a.y, a.z, wd.x, wd.y, wd.z});
    auto without_base = [](Torques tau) { return tau.erase(tau.begin(), tau.begin() + 6), tau; };
    EXPECT_LE(relative_error(ours, without_base(torques(Robot(afloat), driven))), tolerance)
        << seed;
    for (const auto& peer : peers_that_can(afloat))
      EXPECT_LE(relative_error(ours, without_base(torques(*peer, driven))), tolerance)
          << seed << " " << peer->name();

    std::vector<double> row(bolted.nv());
    Engine engine(bolted, {.threads = 1, .kernel = KernelKind::generic});
    engine.set_base_motion({w.x, w.y, w.z}, {wd.x, wd.y, wd.z}, {vd.x, vd.y, vd.z});
    engine.inverse_dynamics(1, s.q, s.v, s.a, row);
    EXPECT_LE(relative_error(row, ours), 1e-12) << seed;
  }
}

// Lathrop's elevator: a base that accelerates upward is more gravity.
TEST(Agreement, ABaseThatAcceleratesUpIsMoreGravity) {
  Rng rng(12);
  for (const char* name : {"puma560", "quadruped", "stanford"}) {
    const Robot robot = Robot::load(name), heavier = robot.with_gravity({0, 0, -12.81});
    Workspace workspace(robot);
    workspace.set_base_motion({}, {}, {0, 0, 3});
    const RandomState s = random_state(rng, robot.description());
    EXPECT_LE(relative_error(torques(robot, workspace, s), torques(heavier, s)), 1e-12) << name;
    workspace.set_base_motion({}, {}, {});
    EXPECT_EQ(torques(robot, workspace, s), torques(robot, s)) << name;
  }
}

// Virtual work: a wrench on a link changes the torque of joint i by its power at v = eᵢ.
TEST(Agreement, WrenchesDoWorkOnTheLinksTheyActOn) {
  for (int seed = 0; seed < 40; ++seed) {
    Rng rng(8000 + seed);
    Description d = seed == 0   ? load_description("panda")
                    : seed == 1 ? load_description("humanoid")
                                : random_tree(rng, 9,
                                              {.prismatic = 0.3,
                                               .fixed = 0.4,
                                               .planar = 0.1,
                                               .spherical = 0.2,
                                               .floating_base = seed % 2 == 0,
                                               .tips = true});
    if (seed % 5 == 4) {
      d.joints[4].type = d.joints[6].type = JointType::revolute;
      d.joints[6].mimic = Mimic{d.joints[4].name, 1.5, 0.2};
    }
    const Robot robot(d);
    const RandomState s = random_state(rng, d);
    Workspace workspace(robot);
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
    Torques expected = torques(robot, s);
    for (int count = 0; count < 3; ++count) {
      const std::size_t at = rng() % d.links.size();
      const Vec3<double> f = uniform_vector(rng, 50), n = uniform_vector(rng, 20);
      workspace.set_wrench(d.links[at].name, {f.x, f.y, f.z}, {n.x, n.y, n.z});
      engine.set_wrench(d.links[at].name, {f.x, f.y, f.z}, {n.x, n.y, n.z});
      for (int i = 0; i < robot.nv(); ++i) {
        std::vector<double> unit(robot.nv(), 0);
        unit[i] = 1;
        const auto [pose, v, w] = link_motions(d, s.q, unit)[at];
        expected[i] -= dot(f, transposed_times(pose.R, v)) + dot(n, transposed_times(pose.R, w));
      }
    }
    std::vector<double> row(robot.nv());
    engine.inverse_dynamics(1, s.q, s.v, s.a, row);
    EXPECT_LE(relative_error(torques(robot, workspace, s), expected), 1e-12) << seed;
    EXPECT_LE(relative_error(row, expected), 1e-12) << seed;
    workspace.clear_wrenches();
    EXPECT_EQ(torques(robot, workspace, s), torques(robot, s)) << seed;
  }
}

TEST(Agreement, ARotorTurnsWithItsOwnJointAndNoOther) {
  Rng rng(13);
  for (int seed = 0; seed < 10; ++seed) {
    const Description with =
        random_tree(rng, 10, {.prismatic = 0.3, .floating_base = seed % 2 == 0});
    Description without = with;
    for (JointDescription& j : without.joints) j.rotor_inertia = 0;
    const RandomState s = random_state(rng, with);
    Torques expected = torques(Robot(without), s);
    const Coordinates at(with);
    for (std::size_t k = 0; k < with.joints.size(); ++k)
      if (velocity_count(with.joints[k]) == 1)
        expected[at.v[k]] += with.joints[k].rotor_inertia * s.a[at.v[k]];
    EXPECT_LE(relative_error(torques(Robot(with), s), expected), 1e-14);
  }
}

}  // namespace
}  // namespace parid::test
