// Searches for policies: the tables that they try have the steps that the traced recursion has,
// what is found is as safe as it says, and no published policy with as few steps is safer.

#include "control/synthesis/policy_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "control/step_cost.hpp"
#include "control/synthesis/age_table.hpp"
#include "control/table/policy_file.hpp"
#include "model/canonical_model.hpp"
#include "parid/control.hpp"
#include "parid/error.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A tree with an offset base, a mirrored axis and a slider.
Robot branched() {
  return Robot::from_text(R"(<robot name="branched"><link name="base"/>
<link name="a"><inertial><mass value="2"/><origin xyz="0.1 0 0.2"/><inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><origin xyz="0 0.1 0.2"/><inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.02"/></inertial></link>
<link name="c"><inertial><mass value="1.5"/><origin xyz="0 0 0.1"/><inertia ixx="0.02" ixy="0" ixz="0.001" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0.3 -0.2 1" rpy="0.3 0 0.5"/><axis xyz="0 0 -1"/><limit lower="-2" upper="2" effort="9" velocity="9"/></joint>
<joint name="j2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.4" rpy="1.2 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="9"/></joint>
<joint name="j3" type="prismatic"><parent link="a"/><child link="c"/><origin xyz="0.2 0 0.3"/><axis xyz="1 0 0"/><limit lower="0" upper="0.3" effort="9" velocity="9"/></joint></robot>)");
}

TEST(PolicySearch, TablesHaveTheStepsOfTheTracedRecursion) {
  std::mt19937 random(3);
  for (const Robot& robot : {Robot::load("planar3"), Robot::load("puma560"), branched()}) {
    const Topology& t = robot.canonical().topology;
    for (const PolicyEntry& e : policies()) {
      const Policy p = e.make();
      if (const auto table = AgeTable::of(p, t.n)) {
        EXPECT_EQ(table->steps(t), step_cost(robot, p).steps) << robot.name() << ' ' << e.id;
        EXPECT_EQ(table->policy().table(t.n), p.table(t.n)) << e.id;
      }
    }
    for (int k = 0; k < 30; ++k) {
      AgeTable table(t.n);
      for (std::size_t i = 1; i < table.link.size(); ++i)
        for (std::uint8_t& age : table.link[i])
          age = static_cast<std::uint8_t>(random() % (k % 3 == 0 ? 2 : 4) / (k % 2 + 1));
      // The trace leaves out what is zero on a link on the base, so it may need fewer.
      EXPECT_LE(step_cost(robot, table.policy()).steps, table.steps(t)) << robot.name();
      EXPECT_GE(step_cost(robot, table.policy()).steps + 1, table.steps(t)) << robot.name();
      const auto again = AgeTable::of(parse_policy(policy_toml(table.policy()), "t"), t.n);
      ASSERT_TRUE(again);
      EXPECT_EQ(*again, table);
    }
  }
}

TEST(PolicySearch, FindsWhatIsSafeForAsLongAsItSays) {
  const Robot robot = branched();
  const std::vector<double> poses = random_poses(robot, 2, 4);
  PolicySearchOptions o;
  o.starts = 1;
  o.max_age = 1;
  for (const int steps : {1, 2}) {
    o.steps = steps;
    const PolicySearch found = search_stale_policy(robot, robot, poses, o);
    EXPECT_LE(found.best.steps, steps);
    ASSERT_EQ(found.best.by_pose.size(), 2u);
    ASSERT_FALSE(found.published.empty());
    EXPECT_GE(found.best.period, found.published.front().period * (1 - 1e-3));
    for (const RatedPolicy& r : found.published) EXPECT_LE(r.steps, steps) << r.policy;
    SampledController c = o.controller;
    c.policy = found.best.policy;
    for (std::size_t p = 0; p < 2; ++p) {
      const auto q = std::span(poses).subspan(3 * p, 3);
      EXPECT_NEAR(longest_stable_period(robot, robot, q, c) / found.best.by_pose[p], 1, 1e-3);
      EXPECT_LT(loop_spectral_radius(robot, robot, q, c, 0.99 * found.best.by_pose[p]), 1);
    }
  }
}

TEST(PolicySearch, DoesNotDependOnThreads) {
  const Robot robot = Robot::load("planar3");
  const std::vector<double> poses = random_poses(robot, 2, 1);
  PolicySearchOptions o;
  o.starts = 2;
  o.threads = 1;
  const PolicySearch one = search_stale_policy(robot, robot, poses, o);
  o.threads = 3;
  const PolicySearch three = search_stale_policy(robot, robot, poses, o);
  EXPECT_EQ(one.best.policy, three.best.policy);
  EXPECT_EQ(one.best.by_pose, three.best.by_pose);
  EXPECT_EQ(one.tried, three.tried);
}

// On two links all tables can be rated one by one, without the short cuts of the search.
TEST(PolicySearch, EveryTableIsTried) {
  const Robot robot = Robot::load("planar2");
  const std::vector<double> q{0.3, 0.4};
  PolicySearchOptions o;
  o.max_age = 1;
  o.every = true;
  const PolicySearch found = search_stale_policy(robot, robot, q, o);
  EXPECT_TRUE(found.proven);
  EXPECT_EQ(found.tried, 8);  // ω, ω̇ and f of the own link; all else is old in one step
  const LawDesign law = design(robot, "computed_torque", {}, policy("exact"), q);
  double best = 0;
  for (int code = 0; code < 8; ++code) {
    AgeTable table(2);
    for (int r = 0; r < 9; ++r) table.set_all(r, 1);
    for (int r = 9; r < 12; ++r) table.set_all(r, (code >> (r - 9)) & 1);
    ASSERT_EQ(table.steps(robot.canonical().topology), 1);
    LawDesign d = law;
    d.policy = table.policy();
    best = std::max(best, largest_safe_period(LinearLoop(robot, d, q)));
  }
  EXPECT_NEAR(found.best.period / best, 1, 2e-3);
}

// planar3, stretched out: a table with ages of two periods is safe for 3.8 times longer than
// Hamilton's and all others of one step.
TEST(PolicySearch, BeatsThePublishedOnAStraightArm) {
  const Robot robot = Robot::load("planar3");
  const std::vector<double> q(3, 0.0);
  const PolicySearch found = search_stale_policy(robot, robot, q);
  ASSERT_FALSE(found.published.empty());
  EXPECT_GT(found.best.period, 3 * found.published.front().period);
  EXPECT_EQ(found.best.steps, 1);
}

TEST(PolicySearch, RefusesWhatCannotBe) {
  const Robot robot = Robot::load("planar2");
  const std::vector<double> q{0.3, 0.4};
  const auto refused = [&](const char* what, std::span<const double> at, auto change) {
    PolicySearchOptions o;
    change(o);
    try {
      search_stale_policy(robot, robot, at, o);
      ADD_FAILURE() << what;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
    }
  };
  using O = PolicySearchOptions;
  refused("steps", q, [](O& o) { o.steps = 0; });
  refused("max_age", q, [](O& o) { o.max_age = 9; });
  refused("too many to try", q, [](O& o) { o.max_age = 4, o.every = true; });
  refused("poses", std::span(q).first(1), [](O&) {});
  refused("poses", std::vector<double>{1, 2, 3}, [](O&) {});
  refused("computes no dynamics", q, [](O& o) { o.controller.law = "pd"; });
  const std::vector<double> wrong{std::nan(""), 0};
  refused("poses", wrong, [](O&) {});
}

}  // namespace
}  // namespace parid::test
