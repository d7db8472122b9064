// Safe sampling periods: against known anchors, and against simulation.

#include "control/stability/stability.hpp"

#include <gtest/gtest.h>

#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// A complete critically damped law that is d samples old: ωn·T, for any robot.
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
                            {"buffered", .0280, .1214, .3330},
                            {"binder_herzog_first", .00101, .00328, .0168},
                            {"hamilton_first", .0000853, .000278, .00277}};
  for (const Constant& c : table)
    for (const auto& [q, expected] :
         {std::pair{zero, c.at_zero}, std::pair{bent, c.at_bent}, std::pair{folded, c.at_folded}})
      for (const double kd : q == bent ? std::vector{20.0, 50.0} : std::vector{20.0}) {
        const LawDesign law = computed_torque(robot, c.policy, kd);
        const double T = largest_safe_period(LinearLoop(robot, law, q), {1e-7, 1});
        EXPECT_NEAR(T * kd, expected, 0.01 * expected) << c.policy;
      }
}

TEST(Stability, AWindowBelowTheBoundaryIsFound) {
  // Unsafe from 0.040 to 0.042 and from 0.05 on.
  auto radius = [](double T) { return (T > 0.040 && T < 0.042) || T > 0.05 ? 1.1 : 0.9; };
  EXPECT_NEAR(largest_safe_period(radius, {1e-4, 1}), 0.040, 1e-6);
  EXPECT_EQ(largest_safe_period([](double) { return 0.9; }, {1e-4, 1}), 1);
  EXPECT_EQ(largest_safe_period([](double) { return 1.0; }, {1e-4, 1}), 0);
}

// Gravity changes safe periods little; the full robot with a small disturbance agrees.
void expect_the_boundary_is_where_it_is_said(const char* name, const std::vector<double>& q,
                                             double kd, double within) {
  const Robot robot = Robot::load(name);
  for (const PolicyEntry& entry : policies()) {
    const LawDesign law = computed_torque(robot, entry.id, kd);
    const LinearLoop loop(robot, law, q);
    const double T = largest_safe_period(loop, {1e-4, 1}, 1e-3);
    if (T == 0) continue;  // not safe at ten thousand samples per second
    EXPECT_LT(simulated_growth(robot, law, q, T * (1 - within)), 1) << name << " " << entry.id;
    // A realisation of chance may have a window of unsafe periods that is narrower than that.
    const double above = T * (1 + within);
    if (law.policy.by_chance && loop.spectral_radius(above) < 1) continue;
    EXPECT_GT(simulated_growth(robot, law, q, above), 1) << name << " " << entry.id;
  }
}

TEST(Stability, SimulationAgreesOnPlanar3) {
  expect_the_boundary_is_where_it_is_said("planar3", {0.5, 0.8, -0.6}, 20, 0.02);
  expect_the_boundary_is_where_it_is_said("planar3", {0.3, quarter_turn, quarter_turn}, 20, 0.02);
}
TEST(Stability, SimulationAgreesOnPuma560) {
  expect_the_boundary_is_where_it_is_said("puma560", {0.3, -0.7, 0.5, 0.4, 0.8, -0.2}, 40, 0.05);
}
TEST(Stability, SimulationAgreesOnStanford) {
  expect_the_boundary_is_where_it_is_said("stanford", {0.3, 0.9, 0.5, 0.4, 0.8, -0.2}, 40, 0.05);
}

}  // namespace
}  // namespace parid::test
