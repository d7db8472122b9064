// Candidates, verdicts, fronts, files: parid/design.hpp.

#include "parid/design.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "design/controller_design.hpp"
#include "parid/error.hpp"
#include "tests/design/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

DesignOptions quick() {
  DesignOptions o;
  o.targets = {"cortex-m4f", "cortex-m7", "transputer", "artix-35t", "ice40-up5k"};
  o.processors = {1, 2, 3};
  o.policies = {"exact", "binder_herzog"};
  o.words = {18, 32};
  o.random_poses = 1;
  o.threads = 2;
  return o;
}

TEST(Designs, FulfilTheWish) {
  const Robot robot = Robot::from_text(odd_arm_urdf);
  DesignOptions o = quick();
  o.bandwidth = 20;
  o.goal = DesignGoal::cheapest;
  const DesignResult r = design_controller(robot, robot, nullptr, o);
  ASSERT_EQ(r.chosen, 0);
  const DesignCandidate& best = r.candidates[0];
  EXPECT_TRUE(best.price.has_value()) << "of unknown prices none is the lowest";
  EXPECT_EQ(best.target, "cortex-m7");
  for (const DesignCandidate& c : r.candidates) {
    if (!c.refused.empty()) continue;
    EXPECT_GE(c.bandwidth, 20 * 0.999) << c.id;
    EXPECT_LE(c.bandwidth, 20 * 1.02) << c.id << ": no larger gains than the wish needs";
    EXPECT_GE(c.gain_margin, 2 * 0.98) << c.id;
    EXPECT_GE(c.phase_margin, 45 * 0.98) << c.id;
    EXPECT_GE(c.largest_period, c.period) << c.id;
    EXPECT_GE(c.period, c.shortest_period * (1 - 1e-9)) << c.id;
    EXPECT_NEAR(c.kp, c.kd * c.kd / 4, 1e-9 * c.kp) << c.id;
  }
  EXPECT_FALSE(r.why.empty());
}

// Candidates that cannot be are refused with a reason, and stay in the table.
TEST(Designs, RefuseWithReasons) {
  const Robot robot = Robot::load("puma560");
  DesignOptions o = quick();
  o.rate = 3000;
  const DesignResult r = design_controller(robot, robot, nullptr, o);
  bool slow = false, large = false;
  for (const DesignCandidate& c : r.candidates) {
    slow |= c.refused.find("longer than the period") != std::string::npos;
    large |= c.refused.find("lookup tables") != std::string::npos ||
             c.refused.find("multipliers of") != std::string::npos;
    if (c.refused.empty()) {
      EXPECT_DOUBLE_EQ(c.period, 1 / 3000.0) << c.id;
    }
  }
  EXPECT_TRUE(slow) << "a transputer takes longer than 333 µs";
  EXPECT_TRUE(large) << "not all machines fit an iCE40";
  o.rate.reset();
  o.bandwidth = 1e5;
  const DesignResult none = design_controller(robot, robot, nullptr, o);
  EXPECT_EQ(none.chosen, -1);
  ASSERT_FALSE(none.why.empty());
  EXPECT_NE(none.why[0].find("None of"), std::string::npos);
}

TEST(Designs, AreOnAFrontIfNothingBeatsThem) {
  const Robot robot = Robot::load("planar3");
  const DesignResult r = design_controller(robot, robot, nullptr, quick());
  int fronts = 0;
  for (const DesignCandidate& c : r.candidates)
    for (const std::string& f : c.front) {
      ++fronts;
      for (const DesignCandidate& other : r.candidates) {
        if (!other.refused.empty() || f != "processors" || other.multipliers || c.multipliers)
          continue;
        EXPECT_FALSE(other.processors <= c.processors && other.reachable > c.reachable * 1.0001)
            << other.id << " beats " << c.id;
      }
    }
  EXPECT_GT(fronts, 1);
  const std::string svg = design_picture(r, "planar3 <designs>");
  EXPECT_NE(svg.find("planar3 &lt;designs&gt;"), std::string::npos);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// The papers' machines are rows like others.
TEST(Designs, OfThePapersMachines) {
  const Robot robot = Robot::load("puma560");
  DesignOptions o;
  o.targets = {"papers"};
  o.processors = {1, 6};
  o.random_poses = 0;
  const DesignResult r = design_controller(robot, robot, nullptr, o);
  std::map<std::string, double> reached;
  for (const DesignCandidate& c : r.candidates)
    if (c.refused.empty()) reached[c.target] = std::max(reached[c.target], c.reachable);
  for (const char* id : {"paper-8086", "paper-cordic", "paper-lathrop"})
    EXPECT_GT(reached[id], 0) << id;
  EXPECT_GT(reached["paper-8086"], reached["paper-pdp11"]);
  double uicker = 0, newton = 0;
  for (const DesignCandidate& c : r.candidates) {
    if (c.target == "paper-pdp11" && c.formulation == "uicker_kahn") uicker = c.step_time;
    if (c.target == "paper-pdp11" && c.formulation == "newton_euler_link") newton = c.step_time;
  }
  EXPECT_NEAR(uicker, 7.9, 0.2) << "s, as Hollerbach cites";
  EXPECT_GT(uicker / newton, 50);
}

// Trees have programs and stale data, but no array.
TEST(Designs, OfTrees) {
  const Robot robot = Robot::from_text(fork_urdf);
  DesignOptions o = quick();
  o.targets = {"transputer", "paper-lathrop"};
  const DesignResult r = design_controller(robot, robot, nullptr, o);
  bool links = false, array_refused = false;
  for (const DesignCandidate& c : r.candidates) {
    links |= c.method == "links" && c.refused.empty();
    array_refused |= c.method == "array" && c.refused.find("chain") != std::string::npos;
  }
  EXPECT_TRUE(links);
  EXPECT_TRUE(array_refused);
}

TEST(Designs, RefuseOptionsThatMakeNoSense) {
  const Robot robot = Robot::load("planar2");
  const auto refused = [&](const auto& change) {
    DesignOptions o = quick();
    change(o);
    EXPECT_THROW(design_controller(robot, robot, nullptr, o), std::exception);
  };
  refused([](DesignOptions& o) { o.targets = {"cortex-m9"}; });
  refused([](DesignOptions& o) { o.policies = {"vuskovic"}; });
  refused([](DesignOptions& o) { o.gain_margin = 1; });
  refused([](DesignOptions& o) { o.phase_margin = 0; });
  refused([](DesignOptions& o) { o.bandwidth = -1; });
  refused([](DesignOptions& o) { o.words = {4}; });
  refused([](DesignOptions& o) { o.poses = {1, 2, 3}; });
  EXPECT_THROW(
      design_controller(Robot::load("quadruped"), Robot::load("quadruped"), nullptr, quick()),
      Error)
      << "a floating base";
  EXPECT_EQ(design_goal("cheapest"), DesignGoal::cheapest);
  EXPECT_THROW(design_goal("cheap"), Error);
}

TEST(Designs, AreDeliveredWithTheirEvidence) {
  const Robot robot = Robot::from_text(odd_arm_urdf);
  DesignOptions o = quick();
  const DesignResult r = design_controller(robot, robot, nullptr, o);
  const auto files_of = [&](const auto& wanted) {
    for (const DesignCandidate& c : r.candidates)
      if (c.refused.empty() && wanted(c)) {
        std::map<std::string, std::string> files;
        for (const CodeFile& f : design_files(robot, c, r)) files[f.name] = f.text;
        EXPECT_NE(files["report.md"].find(fmt::format("{:.6g} s", c.largest_period)),
                  std::string::npos);
        EXPECT_NE(files["report.md"].find("assume"), std::string::npos);
        return files;
      }
    ADD_FAILURE() << "no such candidate";
    return std::map<std::string, std::string>();
  };
  const auto links =
      files_of([](const auto& c) { return c.method == "links" && c.processors == 2; });
  for (const char* name :
       {"odd_arm_control.h", "odd_arm_control_p1.c", "odd_arm_control_p2.c",
        "odd_arm_control_static.c", "odd_arm_control_threads.c", "odd_arm_control_bare.c"})
    EXPECT_TRUE(links.count(name)) << name;
  const auto machine = files_of([](const auto& c) { return c.method == "shared units"; });
  EXPECT_TRUE(machine.count("odd_arm_inverse.v"));
}

}  // namespace
}  // namespace parid::test
