// Predictions against what the delivered artefacts do in a simulated loop.

#include <gtest/gtest.h>

#include <cstdlib>

#include "control/stability/stability.hpp"
#include "design/closed_loop.hpp"
#include "design/controller_design.hpp"
#include "design/delivery.hpp"
#include "parid/error.hpp"
#include "tests/design/arms.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

DesignResult designed_on(const Robot& robot, const std::vector<std::string>& targets,
                         const std::vector<std::string>& policies, int poses = 1) {
  DesignOptions o;
  o.targets = targets;
  o.policies = policies;
  o.words = {32};
  o.random_poses = static_cast<std::size_t>(poses);
  o.fastest_rate = 1000;
  o.threads = 1;
  return parid::design::designed(robot, robot, nullptr, o);
}

// One candidate of each kind of machine: programs of one processor in both precisions, a schedule,
// stale data on links, processors of the papers, and a fixed-point machine.
const std::vector<std::string> machines = {"cortex-m4f",    "x86",           "3x transputer",
                                           "2x cortex-m4f", "6x paper-8086", "artix-200t"};

std::vector<DesignCandidate> one_each(const DesignResult& r) {
  std::vector<DesignCandidate> all;
  std::map<std::string, int> taken;
  for (const DesignCandidate& c : r.candidates) {
    if (!c.refused.empty()) continue;
    if (taken[c.target + c.method + c.policy]++ == 0) all.push_back(c);
  }
  return all;
}

class Predictions : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!there("cc")) GTEST_SKIP() << "a C compiler is needed";
  }
};

// The largest safe period, within 2 %, on at least six targets.
TEST_P(Predictions, OfSafePeriodsAreThoseOfTheArtefacts) {
  const Robot robot =
      std::string(GetParam()) == "odd" ? Robot::from_text(odd_arm_urdf) : Robot::load(GetParam());
  const DesignResult r = designed_on(robot, machines, {"exact", "binder_herzog", "hamilton"});
  std::map<std::string, int> targets;
  for (const DesignCandidate& c : one_each(r)) {
    const DesignVerification v = parid::design::verified(robot, robot, nullptr, c, r);
    EXPECT_NEAR(v.period / c.largest_period, 1, 0.02) << c.id << ": " << c.largest_period;
    ++targets[c.target + std::to_string(c.processors)];
  }
  EXPECT_GE(targets.size(), 6u);
}
INSTANTIATE_TEST_SUITE_P(Robots, Predictions,
                         testing::Values("planar3", "puma560", "stanford", "ur5", "panda", "odd"));

// The tracking error along a motion from rest, within 15 %.
class Tracking : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!there("cc")) GTEST_SKIP() << "a C compiler is needed";
  }
};

TEST_P(Tracking, IsPredicted) {
  const Robot robot =
      std::string(GetParam()) == "odd" ? Robot::from_text(odd_arm_urdf) : Robot::load(GetParam());
  const auto n = static_cast<std::size_t>(robot.nv());
  std::vector<double> from = robot.neutral(), to = from;
  for (std::size_t k = 0; k < n; ++k) {
    to[k] += k % 2 ? -0.15 : 0.2;
  }
  const auto line = PlannedTrajectory::line(robot, from, to, 0.8);
  const DesignResult r = designed_on(robot, {"cortex-m4f", "3x transputer", "6x paper-8086"},
                                     {"exact", "binder_herzog", "hamilton"});
  int compared = 0;
  for (const DesignCandidate& c : one_each(r)) {
    const DesignVerification v = verify_design(robot, robot, &line, c, r);
    ASSERT_FALSE(v.lost) << c.id;
    EXPECT_NEAR(*v.predicted_largest / *v.largest, 1, 0.15) << c.id;
    EXPECT_NEAR(*v.predicted_rms / *v.rms, 1, 0.15) << c.id;
    ++compared;
  }
  EXPECT_GE(compared, 4);
}
INSTANTIATE_TEST_SUITE_P(Robots, Tracking, testing::Values("planar3"));

}  // namespace
}  // namespace parid::test
