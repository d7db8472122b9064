// Forward dynamics undoes inverse dynamics.

#include <gtest/gtest.h>

#include <cmath>

#include "parid/inverse_dynamics.hpp"
#include "runtime/method/forward_methods.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

void expect_undone(const Robot& robot, Rng& rng, int states) {
  Workspace workspace(robot);
  ForwardMethods::each([&]<template <class> class F>() {
    if (!F<double>::covers(robot.canonical())) return;
    F<double> forward(robot.canonical());
    std::vector<double> tau(robot.nv()), a(robot.nv());
    for (int k = 0; k < states; ++k) {
      const RandomState s = random_state(rng, robot.description());
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
      forward.acceleration(s.q.data(), s.v.data(), tau.data(), a.data());
      double scale = 0;
      for (double x : s.a) scale = std::max(scale, std::abs(x));
      for (int i = 0; i < robot.nv(); ++i)
        ASSERT_NEAR(a[i], s.a[i], 1e-9 * scale)
            << F<double>::id << " on " << robot.name() << ", " << robot.velocity_names()[i];
    }
  });
}

TEST(ForwardMethods, UndoInverseDynamicsOnBuiltInRobots) {
  Rng rng(1);
  for (const char* name :
       {"puma560", "puma560-3", "puma560-positioning", "stanford", "stanford-3", "scara", "planar2",
        "planar3", "panda", "ur5", "chain:1", "chain:6", "orthogonal:7", "quadruped", "humanoid"})
    expect_undone(Robot::load(name), rng, 10);
}

TEST(ForwardMethods, UndoInverseDynamicsOnRandomChains) {
  Rng rng(2);
  for (int k = 0; k < 40; ++k) expect_undone(Robot(random_chain(rng, 1 + k % 6)), rng, 2);
}

}  // namespace
}  // namespace parid::test
