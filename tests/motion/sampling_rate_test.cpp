#include "motion/sampling_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion/default_motion.hpp"
#include "parid/engine.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

constexpr double turn = 2 * std::numbers::pi;

TorquesAlong by_engine(const Robot& robot) {
  auto engine = std::make_shared<Engine>(robot, EngineOptions{.threads = 1});
  return [engine, nv = robot.nv()](const SampledTrajectory& m) {
    std::vector<double> tau(m.rows * nv);
    engine->inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
    return tau;
  };
}

// 2 kg with centre (0.1, 0.02) about y: I = 0.03 + 2 · 0.01 = 0.05; gravity's torque at angle q is
// −∂/∂q of the height … whose stiffness at the bottom is m g r.
TEST(SamplingRate, OfOnePendulumByHand) {
  const Robot robot = robot_of(
      "[[joint]]\nname = 'j'\naxis = [0, 1, 0]\nmass = 2\ncom = [0.1, 0, 0]\n"
      "inertia = [0.02, 0.03, 0.04]\neffort = 5\nlower = -3\nupper = 3\nvelocity = 9\n");
  SampledTrajectory m;  // hanging: a turn about y by π/2 takes x to −z
  m.rows = 2;
  m.t = {0, 1};
  m.q = {turn / 4, turn / 4};
  m.v = {2, 2};
  m.a = {6, -8};
  const double inertia = 0.03 + 2 * 0.01;
  const SamplingAdvice a = *sampling_advice(robot, m, by_engine(robot));
  EXPECT_NEAR(a.gravity, std::sqrt(2 * 9.81 * 0.1 / inertia) / turn, 1e-8);
  EXPECT_NEAR(a.servo, std::sqrt(5 / 0.05 / inertia) / turn, 1e-12);
  EXPECT_NEAR(a.motion, 4 / turn, 1e-12);
  EXPECT_DOUBLE_EQ(a.rate(), 20 * a.servo);
  const SamplingAdvice stiff = *sampling_advice(robot, m, by_engine(robot), {.stiffness = 1e4});
  EXPECT_NEAR(stiff.servo, std::sqrt(1e4 / inertia) / turn, 1e-10);
}

// Two sleds side by side: each swings on its own motor's stiffness.
TEST(SamplingRate, EachMotorIsItsOwnJoints) {
  auto sled = [](const char* name, double mass, double effort) {
    return "[[joint]]\nname = '" + std::string(name) + "'\nlink = '" + name +
           "'\nparent = 'base'\ntype = 'prismatic'\naxis = [1, 0, 0]\nlower = -1\nupper = 1\nmass "
           "= " +
           std::to_string(mass) + "\ninertia = [1, 1, 1]\neffort = " + std::to_string(effort) +
           "\n";
  };
  const Robot robot = robot_of(sled("slow", 2, 1) + sled("quick", 1, 50));
  SampledTrajectory m;
  m.rows = 1;
  m.t = {0};
  m.q = m.v = m.a = {0, 0};
  const SamplingAdvice a = *sampling_advice(robot, m, by_engine(robot));
  EXPECT_NEAR(a.servo, std::sqrt(50 / 0.05) / turn, 1e-9);
}

// Gravity is a spring only where a pendulum hangs, and it hangs in one sample.
TEST(SamplingRate, LooksFromTheFirstSampleToTheLast) {
  const Robot robot = single("revolute", "axis = [0, 1, 0]\nlower = -3\nupper = 3\n");
  const double level = 0, hanging = turn / 4;  // a turn about y by π/2 takes x to −z
  for (const std::size_t rows : {1, 2, 5, 9, 20})
    for (const std::size_t at : {std::size_t{0}, rows - 1}) {
      SampledTrajectory m;
      m.rows = rows;
      m.t.assign(rows, 0);
      m.q.assign(rows, level);
      m.v = m.a = m.t;
      m.q[at] = hanging;
      EXPECT_GT(sampling_advice(robot, m, by_engine(robot))->gravity, 0.9) << at << " of " << rows;
      m.q[at] = level;
      EXPECT_NEAR(sampling_advice(robot, m, by_engine(robot))->gravity, 0, 1e-3);
    }
}

TEST(SamplingRate, OfBuiltInArmsIsInTheRangeOfIndustrialOnes) {
  // Not ur5: its manufacturer publishes no rotor inertias, and its last wrist alone is driven at
  // 329 Hz.
  for (const char* name : {"puma560", "panda", "scara", "puma560-positioning"}) {
    const Robot robot = Robot::load(name);
    const SamplingAdvice a = *sampling_advice(robot, default_motion(robot), by_engine(robot));
    EXPECT_GT(a.natural_frequency(), 1) << name;
    EXPECT_LT(a.natural_frequency(), 200) << name;
    if (std::string(name) == "scara")  // upright axes: gravity is no spring
      EXPECT_NEAR(a.gravity, 0, 1e-6);
    else
      EXPECT_GT(a.gravity, 0.1) << name;
    EXPECT_LT(a.gravity, 20) << name;
  }
  // Free bases are held; very many freedoms are let be.
  const Robot floats = everything();
  EXPECT_TRUE(sampling_advice(floats, default_motion(floats), by_engine(floats)));
  const Robot chain = Robot::load("chain:65");
  EXPECT_FALSE(sampling_advice(chain, default_motion(chain, 3), by_engine(chain)));
}

}  // namespace
}  // namespace parid::test
