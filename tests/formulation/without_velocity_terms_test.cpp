#include "formulation/without_velocity_terms.hpp"

#include <gtest/gtest.h>

#include "formulation/newton_euler_link.hpp"
#include "lookup/torque_error.hpp"
#include "model/canonical_model.hpp"
#include "parid/engine.hpp"
#include "parid/robot.hpp"
#include "runtime/method/evaluation.hpp"
#include "scalar/counted.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

double error_against_exact(const Robot& robot, const RandomState& s) {
  std::vector<double> exact(robot.nv());
  Engine(robot, {.threads = 1, .kernel = KernelKind::generic})
      .inverse_dynamics(1, s.q, s.v, s.a, exact);
  WithoutVelocityTerms<double> f(robot.canonical().mechanism);
  return torque_error(robot.nv(), torques_along(robot, f, 1, s.q, s.v, s.a), exact).max_relative;
}

TEST(WithoutVelocityTerms, ExactAtRest) {
  Rng rng(1972);
  for (int k = 0; k < 20; ++k) {
    const RandomRobot options{
        .prismatic = 0.5, .fixed = 0.3, .planar = 0.2, .spherical = 0.3, .tips = true};
    const Description d = k % 2 ? random_tree(rng, 8, options) : random_chain(rng, 6, options);
    RandomState s = random_state(rng, d);
    const Robot robot(d);
    EXPECT_GT(error_against_exact(robot, s), 1e-6);
    std::fill(s.v.begin(), s.v.end(), 0);
    EXPECT_LE(error_against_exact(robot, s), 1e-13);
  }
  const Description d = random_quadruped(rng);
  RandomState s = random_state(rng, d);
  std::fill(s.v.begin(), s.v.end(), 0);
  EXPECT_LE(error_against_exact(Robot(d), s), 1e-13);
}

// The omitted terms are quadratic in the velocities.
TEST(WithoutVelocityTerms, ErrorGrowsWithTheSquareOfSpeed) {
  Rng rng(1974);
  const Description d = random_chain(rng, 6);
  const Robot robot(d);
  RandomState s = random_state(rng, d);
  std::fill(s.a.begin(), s.a.end(), 0);
  WithoutVelocityTerms<double> f(robot.canonical().mechanism);
  auto missing = [&](double speed) {
    RandomState fast = s;
    for (double& v : fast.v) v *= speed;
    std::vector<double> exact(robot.nv());
    Engine(robot, {.threads = 1, .kernel = KernelKind::generic})
        .inverse_dynamics(1, fast.q, fast.v, fast.a, exact);
    return torque_error(robot.nv(), torques_along(robot, f, 1, fast.q, fast.v, fast.a), exact)
        .max_absolute;
  };
  EXPECT_NEAR(missing(4) / missing(1), 16, 1e-9);
}

TEST(WithoutVelocityTerms, CostsLess) {
  const Robot robot = Robot::load("puma560");
  const Mechanism<Counted> m(robot.canonical().mechanism);
  const State<Counted> at(m);
  std::vector<Counted> tau(m.n + 1);
  auto count = [&](auto&& f) {
    Counted::reset();
    f.torque(m, at, tau.data());
    return Counted::count();
  };
  const OperationCount exact = count(NewtonEulerLink<Counted>(m)),
                       less = count(WithoutVelocityTerms<Counted>(m));
  EXPECT_EQ(less.multiplications, 408);
  EXPECT_EQ(less.additions, 342);
  EXPECT_LT(less.multiplications, exact.multiplications);
  EXPECT_LT(less.additions, exact.additions);
}

}  // namespace
}  // namespace parid::test
