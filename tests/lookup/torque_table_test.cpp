#include "lookup/torque_table.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "lookup/coefficient_source.hpp"
#include "lookup/torque_error.hpp"
#include "parid/engine.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

TorqueTable built(const Robot& robot, TableKind kind, std::vector<int> points) {
  TableOptions o;
  o.kind = kind;
  o.points = std::move(points);
  o.threads = 2;
  o.cells = 1 << 14;
  o.lessons = 60'000;
  o.tilings = 64;
  return TorqueTable::build(robot, o);
}

std::vector<double> exact(const Robot& robot, const States& s) {
  std::vector<double> tau(s.rows * robot.nv());
  Engine(robot, {.threads = 1, .kernel = KernelKind::generic})
      .inverse_dynamics(s.rows, s.q, s.v, s.a, tau);
  return tau;
}

std::vector<double> looked_up(const TorqueTable& table, const States& s) {
  const std::size_t n = table.n();
  std::vector<double> tau(s.rows * n);
  TableReader reader(table);
  for (std::size_t k = 0; k < tau.size(); k += n)
    reader.torque({&s.q[k], n}, {&s.v[k], n}, {&s.a[k], n}, {&tau[k], n});
  return tau;
}

// Random velocities and accelerations at points of the grid.
States on_the_grid(const Robot& robot, const TorqueTable& table) {
  States s = random_states(state_box(robot), 200, 9);
  Rng rng(4);
  for (std::size_t r = 0; r < s.rows; ++r)
    table.positions().position(rng() % table.positions().points(), &s.q[r * table.n()]);
  return s;
}

std::vector<Robot> robots() {
  Rng rng(1978);
  std::vector<Robot> all = {Robot::load("puma560-3"), Robot::load("stanford-3"),
                            Robot::load("planar3"), Robot::load("scara")};
  all.push_back(Robot(random_chain(rng, 3, {.prismatic = 0.5, .tips = true})));
  all.push_back(Robot(random_tree(rng, 4, {.prismatic = 0.3, .fixed = 0.3})));
  Description follower = random_chain(rng, 3);
  follower.joints[2].mimic = Mimic{"joint1", -0.5, 0.1};
  all.push_back(Robot(follower));
  return all;
}

TEST(TorqueTable, ConfigurationIsExactAtItsPointsForAnyRates) {
  for (const Robot& robot : robots()) {
    const TorqueTable t = built(robot, TableKind::configuration, {4});
    const States s = on_the_grid(robot, t);
    EXPECT_LE(torque_error(t.n(), looked_up(t, s), exact(robot, s)).max_relative, 1e-12)
        << robot.name();
  }
}

TEST(TorqueTable, StateIsExactAtItsPointsForAnyAcceleration) {
  for (const Robot& robot : robots()) {
    const TorqueTable t = built(robot, TableKind::state, {3});
    States s = random_states(state_box(robot), 200, 9);
    std::vector<double> x(2 * t.n());
    Rng rng(4);
    for (std::size_t r = 0; r < s.rows; ++r) {
      t.states().position(rng() % t.states().points(), x.data());
      std::copy_n(x.begin(), t.n(), &s.q[r * t.n()]);
      std::copy_n(x.begin() + t.n(), t.n(), &s.v[r * t.n()]);
    }
    EXPECT_LE(torque_error(t.n(), looked_up(t, s), exact(robot, s)).max_relative, 1e-12)
        << robot.name();
  }
}

TEST(TorqueTable, HalfTheSpacingIsAQuarterOfTheError) {
  const Robot robot = Robot::load("puma560-3");
  double before = table_error(built(robot, TableKind::configuration, {9}), robot).rms_relative;
  for (const int points : {17, 33, 65}) {
    const double now =
        table_error(built(robot, TableKind::configuration, {points}), robot).rms_relative;
    EXPECT_NEAR(before / now, 4, 0.5) << points;
    before = now;
  }
}

// The vertical first axis changes nothing; nor does the last of a wrist whose hand is symmetric.
TEST(TorqueTable, LeavesOutWhatNothingDependsOn) {
  auto points = [](const char* name) {
    std::vector<int> out;
    const Robot robot = Robot::load(name);
    TableOptions o;
    o.points = {5};
    for (const Axis& axis : plan_table(robot, o).q) out.push_back(axis.points);
    return out;
  };
  EXPECT_EQ(points("puma560-3"), (std::vector{1, 5, 5}));
  EXPECT_EQ(points("puma560"), (std::vector{1, 5, 5, 5, 5, 1}));
  EXPECT_EQ(points("planar2"), (std::vector{5, 5}));  // gravity in its plane
}

TEST(TorqueTable, EveryJointItsOwnPoints) {
  const Robot robot = Robot::load("planar2");
  const TorqueTable t = built(robot, TableKind::configuration, {3, 7});
  EXPECT_EQ(t.positions().points(), 21u);
  EXPECT_EQ(t.bytes(), 21u * (2 + 3 + 6) * 8);
  EXPECT_EQ(plan_table(robot, {.points = {3, 7}}).bytes, t.bytes());
  const TorqueTable s = built(robot, TableKind::state, {3, 7, 5, 2});
  EXPECT_EQ(s.states().points(), 3u * 7 * 5 * 2);
  EXPECT_NE(complaint([&] { built(robot, TableKind::configuration, {3, 7, 5}); }), "");
  EXPECT_NE(complaint([&] { built(robot, TableKind::configuration, {1}); }), "");
}

TEST(TorqueTable, SaysHowMuchItWouldTake) {
  const Robot robot = Robot::load("puma560");
  TableOptions o;
  o.points = {1000};
  EXPECT_EQ(complaint([&] { TorqueTable::build(robot, o); }),
            "a configuration table with 1 × 1000 × 1000 × 1000 × 1000 × 1 points would take 1.2 "
            "PB; the limit is 2.0 GB; use fewer points");
  o.kind = TableKind::cmac;
  o.points = {2};
  o.cells = 1'000'000'000;
  EXPECT_EQ(
      complaint([&] { TorqueTable::build(robot, o); }),
      "a cmac table with 1000000000 cells would take 48 GB; the limit is 2.0 GB; use fewer cells");
}

TEST(TorqueTable, RefusesJointsOfSeveralFreedoms) {
  const std::string why = complaint([] { TorqueTable::build(Robot::load("quadruped")); });
  EXPECT_NE(why.find("revolute and prismatic"), std::string::npos) << why;
}

TEST(TorqueTable, CmacLearns) {
  const Robot robot = Robot::load("puma560-3");
  auto error = [&](std::size_t lessons) {
    TableOptions o;
    o.kind = TableKind::cmac;
    o.tilings = 64;
    o.cells = 1 << 16;
    o.lessons = lessons;
    return table_error(TorqueTable::build(robot, o), robot).rms_relative;
  };
  const double little = error(300), some = error(5'000), much = error(100'000);
  EXPECT_LT(some, little);
  EXPECT_LT(much, some);
  EXPECT_LT(much, 0.15);
}

// Picking something up is another robot, and no number of points helps.
TEST(TorqueTable, IsWrongAfterThePayloadChanges) {
  const Robot robot = Robot::load("puma560-3"), loaded = robot.with_payload(robot.tip(), 2);
  const TorqueTable t = built(robot, TableKind::configuration, {65});
  EXPECT_LT(table_error(t, robot).rms_relative, 1e-3);
  EXPECT_GT(table_error(t, loaded).rms_relative, 0.2);
}

// A joint without limits turns on and on.
TEST(TorqueTable, TurnsOnAndOn) {
  Rng rng(6);
  Description d = random_chain(rng, 2);
  for (JointDescription& j : d.joints) {
    j.type = JointType::continuous;
    j.limits = {};
  }
  const Robot robot(d);
  const TorqueTable t = built(robot, TableKind::configuration, {33});
  States s = random_states(state_box(robot), 100, 3), far = s;
  for (double& q : far.q) q += 6 * std::numbers::pi;
  const std::vector<double> here = looked_up(t, s), there = looked_up(t, far);
  EXPECT_LE(torque_error(2, there, here).max_relative, 1e-10);
}

TEST(TorqueTable, TheSameWhateverTheThreads) {
  const Robot robot = Robot::load("stanford-3");
  const States s = random_states(state_box(robot), 50, 3);
  TableOptions o;
  o.threads = 1;
  const auto one = looked_up(TorqueTable::build(robot, o), s);
  o.threads = 2;
  EXPECT_EQ(one, looked_up(TorqueTable::build(robot, o), s));
}

TEST(TorqueTable, TellsItsProgress) {
  for (const TableKind kind : {TableKind::configuration, TableKind::state, TableKind::cmac}) {
    TableOptions o;
    o.kind = kind;
    o.lessons = 10'000;
    double last = 0;
    o.progress = [&](double share) {
      EXPECT_GE(share, last);
      last = share;
    };
    TorqueTable::build(Robot::load("puma560-3"), o);
    EXPECT_DOUBLE_EQ(last, 1);
  }
}

TEST(TorqueTableFile, GivesBackTheSameTorques) {
  const Scratch scratch;
  const Robot robot = Robot::load("puma560-3");
  const States s = random_states(state_box(robot), 100, 5);
  for (const TableKind kind : {TableKind::configuration, TableKind::state, TableKind::cmac}) {
    const TorqueTable t = built(robot, kind, {3});
    t.save(scratch.path("t"));
    const TorqueTable back = TorqueTable::load(robot, scratch.path("t"));
    EXPECT_EQ(back.kind(), kind);
    EXPECT_EQ(back.bytes(), t.bytes());
    EXPECT_EQ(bits(looked_up(back, s)), bits(looked_up(t, s)));
  }
}

TEST(TorqueTableFile, SaysWhatIsWrongWithIt) {
  const Scratch scratch;
  const Robot robot = Robot::load("puma560-3");
  auto wrong = [&](const std::string& path, const Robot& r) {
    const std::string why = complaint([&] { TorqueTable::load(r, path); });
    return why.substr(std::min(why.size(), path.size()));
  };
  const std::string path = scratch.path("t");
  for (const TableKind kind : {TableKind::configuration, TableKind::state, TableKind::cmac}) {
    built(robot, kind, {3}).save(path);
    const std::string good = content(path);
    EXPECT_EQ(wrong(path, robot), "");
    EXPECT_EQ(wrong(path, robot.with_payload(robot.tip(), 0.1)),
              ": is a table for another robot than 'puma560-3', or for another payload or gravity; "
              "build one for this robot");
    EXPECT_NE(wrong(path, Robot::load("planar2")), "");
    EXPECT_NE(wrong(path, robot.with_gravity({0, 0, -1.62})), "");
    EXPECT_EQ(wrong(scratch.file("short", good.substr(0, good.size() - 8)), robot),
              ": is truncated; build it again");
    EXPECT_EQ(wrong(scratch.file("long", good + "more"), robot),
              ": has data after the table; build it again");
    EXPECT_EQ(wrong(scratch.file("other", "t,q1\n0,1\n"), robot),
              ": is not a table written by Parid; make one with `table()`");
    EXPECT_EQ(wrong(scratch.file("empty", ""), robot),
              ": is not a table written by Parid; make one with `table()`");
    std::string damaged = good;
    damaged[damaged.size() / 2] ^= 1;
    EXPECT_EQ(wrong(scratch.file("damaged", damaged), robot),
              ": is damaged: its checksum does not match; build it again");
    // Any damaged byte and any truncation is reported, and nothing crashes.
    for (std::size_t k = 0; k < std::min<std::size_t>(good.size(), 600); k += 3) {
      std::string hurt = good;
      hurt[k] ^= 0x55;
      EXPECT_NE(wrong(scratch.file("hurt", hurt), robot), "") << k;
      EXPECT_NE(wrong(scratch.file("cut", good.substr(0, k)), robot), "") << k;
    }
  }
}

TEST(TorqueTable, CostsWhatItSays) {
  const TorqueTable t = built(Robot::load("puma560-3"), TableKind::configuration, {3});
  EXPECT_EQ(t.cost().multiplications, 4 * (27 + 2) - 2 + 6 + 18 + 9);
  EXPECT_EQ(t.cost().additions, 4 * 27 + 18 + 9);
}

TEST(Fingerprint, IsOfTheRobotNotOfItsFile) {
  const Robot robot = Robot::load("puma560");
  EXPECT_EQ(fingerprint(robot), fingerprint(Robot::load("puma560")));
  EXPECT_EQ(fingerprint(robot), fingerprint(Robot::load("robots/puma560.toml")));
  EXPECT_NE(fingerprint(robot), fingerprint(Robot::load("puma560-3")));
}

}  // namespace
}  // namespace parid::test
