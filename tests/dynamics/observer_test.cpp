// The observer finds a push on the hand, and nothing where there is none.

#include <gtest/gtest.h>

#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/momentum_observer.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// Half a second at rest under torques that hold it, by small steps; from t = 0.1 s on something
// pushes.
void expect_found(const char* name, double push) {
  const Robot robot = Robot::load(name);
  const std::size_t n = robot.nv();
  Workspace free(robot), pushed(robot);
  pushed.set_wrench(robot.tip(), {push, -2 * push, push / 2}, {0, 0.1 * push, 0});
  MomentumObserver observer(robot, 200);
  std::vector<double> q = robot.neutral(), v(n), tau(n), a(n), step(n), still(n), expected(n),
                      with(n);
  observer.reset(q, v);
  const double dt = 1e-4;
  for (int k = 0; k < 5000; ++k) {
    bias(robot, free, q, v, tau);
    for (std::size_t i = 0; i < n; ++i) tau[i] -= 10 * v[i];
    forward_dynamics(robot, k < 1000 ? free : pushed, q, v, tau, a);
    for (std::size_t i = 0; i < n; ++i) {
      v[i] += dt * a[i];
      step[i] = dt * v[i];
    }
    integrate(robot, q, step, q);
    observer.update(dt, q, v, tau);
    if (k != 999) continue;
    for (const double r : observer.estimate()) EXPECT_NEAR(r, 0, 1e-3 * push);
  }
  // The joint torques of the push: those that would hold it minus those without it.
  bias(robot, free, q, v, tau);
  bias(robot, pushed, q, v, with);
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, std::abs(tau[i] - with[i]));
  ASSERT_GT(scale, 0.1 * push);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(observer.estimate()[i], tau[i] - with[i], 0.03 * scale) << name << " " << i;
}

TEST(MomentumObserver, FindsAPush) {
  expect_found("puma560", 10);
  expect_found("panda", 5);
}

TEST(MomentumObserver, WantsAGainAboveZero) {
  EXPECT_THROW(MomentumObserver(Robot::load("puma560"), 0), Error);
  EXPECT_THROW(MomentumObserver(Robot::load("puma560"), -1), Error);
}

}  // namespace
}  // namespace parid::test
