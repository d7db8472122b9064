// Safe sampling periods: against known anchors, and against simulation.

#include "parid/control/stability.hpp"

#include <gtest/gtest.h>

#include "tests/control/arms.hpp"

namespace parid {
namespace {

// A whole critically damped law that is d samples old: ωn·T, whatever the robot.
TEST(Stability, DelayedLawsHaveTheirKnownBounds) {
  const double bounds[] = {1.000, 0.426, 0.258, 0.185, 0.144};
  const double kd = 20, natural = kd / 2;
  for (const char* name : {"planar3", "stanford"}) {
    const Robot robot = without_gravity(Robot::load(name));
    const std::vector<double> q = robot.neutral();
    for (int d = 0; d < 5; ++d) {
      const LawDesign law = computed_torque(robot, "delayed:" + std::to_string(d), kd);
      const double T = largest_safe_period(LinearLoop(robot, law, q), {1e-4, 1});
      EXPECT_NEAR(natural * T, bounds[d], 6e-4) << name << " d = " << d;
    }
  }
}

struct Constant {
  const char* policy;
  double at_zero, at_bent, at_folded;  // c of the largest safe period c / kd
};

TEST(Stability, ConstantsOfUniformRods) {
  const Robot robot = without_gravity(Robot::load("planar3"));
  const std::vector<double> zero{0, 0, 0}, bent{0.5, 0.8, -0.6},
      folded{0, quarter_turn, quarter_turn};
  const Constant table[] = {{"exact", 2, 2, 2},
                            {"binder_herzog", .0188, .0739, .2829},
                            {"hamilton_boxes", .0396, .1576, .3002},
                            {"hamilton", .0560, .1949, .2417},
                            {"yamakita", .0280, .1214, .3330},
                            {"yamakita_ahead", .0280, .1214, .3330},
                            {"binder_herzog_first", .0010, .0033, .0168},
                            {"hamilton_first", .00003, .0003, .0028}};
  for (const Constant& c : table)
    for (const auto& [q, expected] :
         {std::pair{zero, c.at_zero}, std::pair{bent, c.at_bent}, std::pair{folded, c.at_folded}})
      for (const double kd : {20.0, 50.0}) {
        const LawDesign law = computed_torque(robot, c.policy, kd);
        const double T = largest_safe_period(LinearLoop(robot, law, q), {1e-7, 1});
        std::printf("%s %g %g\n", c.policy, T * kd, expected);
        EXPECT_NEAR(T * kd, expected, 0.01 * expected + 5e-5) << c.policy;
      }
}

}  // namespace
}  // namespace parid
