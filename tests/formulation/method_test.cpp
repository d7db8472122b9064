// Every formulation gives the same torque, and reports robots that it does not support.

#include "lookup/methods.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "formulation/all.hpp"
#include "model/canonical_model.hpp"
#include "parid/inverse_dynamics.hpp"
#include "runtime/method/evaluation.hpp"
#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

double relative_error(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return scale > 0 ? off / scale : off;
}

void expect_all_agree(const Robot& robot, Rng& rng, int states) {
  Workspace workspace(robot);
  std::vector<double> want(robot.nv()), got(robot.nv());
  for (const MethodEntry& m : methods()) {
    if (!m.exact || !outside(m.scope, robot.canonical().topology).empty()) continue;
    const auto method = make_method(m, robot, {});
    for (int k = 0; k < states; ++k) {
      const RandomState s = random_state(rng, robot.description());
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, want);
      method->torque(s.q.data(), s.v.data(), s.a.data(), got.data());
      ASSERT_LE(relative_error(got, want), 1e-12) << m.id << " on " << robot.name();
    }
  }
}

TEST(Methods, AgreeOnBuiltInRobots) {
  Rng rng(1);
  for (const char* name : {"puma560", "stanford", "scara", "puma560-3", "stanford-3", "planar2",
                           "planar3", "panda", "ur5", "puma560-positioning", "orthogonal:7",
                           "chain:12", "chain:1", "quadruped", "humanoid"})
    expect_all_agree(Robot::load(name), rng, 20);
}

TEST(Methods, AgreeOn200RandomChains) {
  Rng rng(2);
  for (int k = 0; k < 200; ++k) expect_all_agree(Robot(random_chain(rng, 1 + k % 12)), rng, 2);
}

TEST(Methods, AgreeWhereTheBaseMovesAndWrenchesAct) {
  Rng rng(3);
  for (const Robot& robot : {Robot::load("stanford"), Robot(random_chain(rng, 5)),
                             Robot(random_chain(rng, 6, {.prismatic = 1}))}) {
    ExternalLoads accelerated, all;
    accelerated.set_base_motion(robot, {}, {}, {1, 2, 3});
    all.set_base_motion(robot, {0.3, -0.2, 0.5}, {1, 0.4, -2}, {1, 2, 3});
    all.add_wrench(robot, robot.tip(), {1, 2, 3}, {0.1, -0.2, 0.3});
    for (const ExternalLoads* given : {&accelerated, &all}) {
      const ExternalLoads& around = *given;
      const auto reference = make_method(method("newton_euler_link"), robot, around);
      std::vector<double> want(robot.nv()), got(robot.nv());
      const RandomState s = random_state(rng, robot.description());
      reference->torque(s.q.data(), s.v.data(), s.a.data(), want.data());
      for (const MethodEntry& m : methods()) {
        const bool covers = m.scope.turning_base && m.scope.wrenches;
        if ((&around == &all && !covers) || m.why_not) {
          EXPECT_NE(cannot(m, robot, around), "") << m.id;
          EXPECT_THROW(make_method(m, robot, around), Error) << m.id;
          continue;
        }
        if (!outside(m.scope, robot.canonical().topology).empty()) continue;
        const auto one = make_method(m, robot, around);
        one->torque(s.q.data(), s.v.data(), s.a.data(), got.data());
        if (m.exact) {
          EXPECT_LE(relative_error(got, want), 1e-12) << m.id << " on " << robot.name();
        }
      }
    }
  }
}

// The same formulation in other numbers: packs, counts, derivatives.
template <template <class> class F, class T>
std::vector<T> torque_in(const Robot& robot, const RandomState& s, auto number) {
  Evaluation<F, T> e(robot.canonical());
  std::vector<T> q, v, a, tau(robot.nv());
  for (double x : s.q) q.push_back(number(x, 0, static_cast<int>(q.size())));
  for (double x : s.v) v.push_back(number(x, 1, static_cast<int>(v.size())));
  for (double x : s.a) a.push_back(number(x, 2, static_cast<int>(a.size())));
  e.torque(q.data(), v.data(), a.data(), tau.data());
  return tau;
}

TEST(Methods, AgreeInEveryNumberType) {
  const Robot robot = Robot::load("stanford");
  Rng rng(4);
  const RandomState s = random_state(rng, robot.description());
  const int n = robot.nv();
  Formulations::each([&]<template <class> class F>() {
    const auto plain = torque_in<F, double>(robot, s, [](double x, int, int) { return x; });
    const auto packed =
        torque_in<F, Pack<4>>(robot, s, [](double x, int, int) { return Pack<4>(x); });
    const auto counted =
        torque_in<F, Counted>(robot, s, [](double x, int, int) { return Counted(x); });
    const auto single =
        torque_in<F, float>(robot, s, [](double x, int, int) { return static_cast<float>(x); });
    // Derivatives with respect to every q, against differences.
    using D = Dual<6>;
    const auto dual = torque_in<F, D>(
        robot, s, [](double x, int part, int k) { return part == 0 ? D::variable(x, k) : D(x); });
    double scale = 0;
    for (double t : plain) scale = std::max(scale, std::abs(t));
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(packed[i][k], plain[i], 1e-12 * scale) << F<double>::id;
      EXPECT_EQ(counted[i].value, plain[i]) << F<double>::id;
      EXPECT_NEAR(single[i], plain[i], 1e-4 * scale) << F<double>::id;
      EXPECT_EQ(dual[i].value, plain[i]) << F<double>::id;
    }
    const double h = 1e-6;
    for (int k = 0; k < n; ++k) {
      RandomState up = s, down = s;
      up.q[k] += h;
      down.q[k] -= h;
      const auto a = torque_in<F, double>(robot, up, [](double x, int, int) { return x; });
      const auto b = torque_in<F, double>(robot, down, [](double x, int, int) { return x; });
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(dual[i].d[k], (a[i] - b[i]) / (2 * h), 1e-6 * (1 + scale)) << F<double>::id;
    }
  });
}

}  // namespace
}  // namespace parid::test
