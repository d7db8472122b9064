// Loops with latency: against loops without it, by the analysis of control/, and by hand.

#include "design/timed_loop.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "control/policy.hpp"
#include "control/stability/stability.hpp"
#include "tests/design/arms.hpp"

namespace parid::test {
namespace {

Robot without_gravity(const Robot& robot) { return robot.with_gravity({0, 0, 0}); }

LawDesign law_of(const Robot& robot, const char* id, double kd) {
  return {robot,
          "computed_torque",
          design::LoopGains::critical(kd).of(robot.nv()),
          bound(policy(id), robot),
          false,
          false};
}

std::vector<double> some_pose(const Robot& robot) {
  std::vector<double> q = robot.neutral();
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += 0.1 + 0.05 * static_cast<double>(k);
  return q;
}

// Without latency it is the loop of control/; with one of a period, that of a delayed law.
TEST(TimedLoops, AgreeWithTheAnalysisWithoutLatency) {
  for (const Robot& robot :
       {Robot::load("planar3"), Robot::from_text(odd_arm_urdf), Robot::from_text(fork_urdf)})
    for (const char* id : {"exact", "binder_herzog", "hamilton"}) {
      const std::vector<double> q = some_pose(robot);
      const LawDesign law = law_of(robot, id, 40);
      const design::TimedLoop loop(robot, law, q);
      const LinearLoop known(robot, law, q);
      const design::LoopGains g = design::LoopGains::critical(40);
      for (const double T : {2e-3, 8e-3, 2e-2, 6e-2})
        EXPECT_NEAR(loop.spectral_radius({T, 0}, g), known.spectral_radius(T), 2e-7)
            << robot.name() << ", " << id << ", " << T;
    }
  const Robot robot = Robot::load("planar3");
  const std::vector<double> q = some_pose(robot);
  const design::TimedLoop loop(robot, law_of(robot, "exact", 40), q);
  for (const int periods : {1, 2}) {
    const LinearLoop late(robot, law_of(robot, fmt::format("delayed:{}", periods).c_str(), 40), q);
    for (const double T : {2e-3, 8e-3, 2e-2})
      EXPECT_NEAR(loop.spectral_radius({T, periods * T}, design::LoopGains::critical(40)),
                  late.spectral_radius(T), 2e-7);
  }
}

// Computed torque with exact data makes every joint a double integrator: its period limit without
// latency is 2 / kd, and with any latency that of the one-dimensional loop.
TEST(TimedLoops, OfExactDataAreDoubleIntegrators) {
  const Robot robot = without_gravity(Robot::load("puma560"));
  const std::vector<double> q = some_pose(robot);
  const std::vector<design::TimedLoop> loops = {{robot, law_of(robot, "exact", 1), q}};
  const design::LoopGains g = design::LoopGains::critical(50);
  EXPECT_NEAR(design::largest_period(loops, g, 0, 1e-4, 1, 1e-6), 2 / 50.0, 1e-6);
  for (const double latency : {1e-3, 4e-3}) {
    // x⁺ of (q, v, last torque) for a torque that changes `latency` after the measurement.
    const auto radius = [&](double T) {
      const double L = std::min(latency, T), s = T - L;
      Eigen::Matrix3d A;
      A << 1 - g.kp * s * s / 2, T - g.kd * s * s / 2, L * L / 2 + L * s,  //
          -g.kp * s, 1 - g.kd * s, L,                                      //
          -g.kp, -g.kd, 0;
      return A.eigenvalues().cwiseAbs().maxCoeff();
    };
    const design::TimedLoop& loop = loops[0];
    for (const double T : {2e-3, 1e-2, 3e-2, 5e-2})
      EXPECT_NEAR(loop.spectral_radius({T, std::min(latency, T)}, g), radius(T), 1e-6) << T;
    const double longest = design::largest_period(loops, g, latency, 1e-4, 1, 1e-5);
    EXPECT_LT(radius(longest), 1);
    EXPECT_GE(radius(longest * 1.001), 1);
  }
}

// At a margin the loop is unstable just beyond it, and stable just before.
TEST(TimedLoops, HaveTheMarginsThatTheyState) {
  // Without gravity, whose part of the law does not scale with the gains.
  const Robot robot = without_gravity(Robot::load("planar3"));
  const std::vector<double> q = some_pose(robot);
  // By the analysis of control/, binder_herzog is safe up to 0.66 ms at these gains.
  const std::pair<const char*, design::LoopTiming> loops[] = {{"exact", {3e-3, 2e-3}},
                                                              {"binder_herzog", {2e-4, 1e-4}}};
  for (const auto& [id, t] : loops) {
    const design::TimedLoop loop(robot, law_of(robot, id, 1), q);
    const double kd = 30;
    const design::LoopGains g = design::LoopGains::critical(kd);
    ASSERT_LT(loop.spectral_radius(t, g), 1);
    const design::LoopMargins m = loop.margins(t, g);
    const auto scaled = [&](double k) { return loop.spectral_radius(t, {k * g.kp, k * g.kd}); };
    EXPECT_LT(scaled(m.gain * 0.97), 1) << id;
    EXPECT_GT(scaled(m.gain * 1.03), 1) << id;
    // A phase lag at the crossover is a delay; just beyond it the loop is unstable.
    const double delay = m.phase / m.crossover;
    EXPECT_LT(loop.spectral_radius({t.period, t.latency + 0.95 * delay}, g), 1) << id;
    EXPECT_GT(loop.spectral_radius({t.period, t.latency + 1.05 * delay}, g), 1) << id;
  }
}

// Of a slow loop at a high rate, the bandwidth is that of the continuous one: kp / (s + kd/2)².
TEST(TimedLoops, HaveTheBandwidthOfAContinuousLoop) {
  const Robot robot = without_gravity(Robot::load("stanford"));
  const design::TimedLoop loop(robot, law_of(robot, "exact", 1), some_pose(robot));
  const double kd = 40, pole = kd / 2;
  const double expected = pole * std::sqrt(std::numbers::sqrt2 - 1) / (2 * std::numbers::pi);
  EXPECT_NEAR(loop.bandwidth({1e-5, 0}, design::LoopGains::critical(kd)), expected,
              0.01 * expected);
}

TEST(TimedLoops, LargestGainsAreAtTheMargins) {
  const Robot robot = Robot::load("planar3");
  std::vector<design::TimedLoop> loops;
  loops.emplace_back(robot, law_of(robot, "hamilton", 1), some_pose(robot));
  loops.emplace_back(robot, law_of(robot, "hamilton", 1), robot.neutral());
  const design::LoopTiming t{2e-4, 1e-4};
  const design::MarginWish wish{2, 0.6};
  std::size_t worst = 9;
  const double kd = design::largest_gain(loops, t, wish, 100, &worst);
  ASSERT_GT(kd, 0);
  ASSERT_LT(worst, 2u);
  const auto holds = [&](double k) {
    for (const design::TimedLoop& loop : loops) {
      const design::LoopGains g = design::LoopGains::critical(k);
      if (loop.spectral_radius(t, g) >= 1) return false;
      const design::LoopMargins m = loop.margins(t, g);
      if (m.gain < wish.gain || m.phase < wish.phase) return false;
    }
    return true;
  };
  EXPECT_TRUE(holds(kd));
  EXPECT_FALSE(holds(1.02 * kd));
  EXPECT_NEAR(design::largest_gain(loops, t, wish, 1e4), kd, 0.02 * kd) << "from another guess";
}

}  // namespace
}  // namespace parid::test
