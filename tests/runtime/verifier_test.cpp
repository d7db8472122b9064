// The second opinion agrees with right answers, on every quantity, and notices wrong ones.

#include "runtime/verify/verifier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Answered {
  std::vector<std::vector<double>> in, out;
  std::vector<const double*> in_at, out_at;
};

// A random row near the neutral position, with unit quaternions.
Answered answered(const Robot& robot, Engine& engine, Quantity what, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const Shape shape = shape_of(robot, what);
  Answered x;
  for (std::size_t k = 0; k < shape.in.size(); ++k) {
    std::vector<double>& a = x.in.emplace_back(shape.in[k]);
    if (k > 0)
      for (double& y : a) y = number(random);
  }
  std::vector<double> step(robot.nv()), neutral = robot.neutral();
  for (double& y : step) y = number(random);
  integrate(robot, neutral, step, x.in[0]);
  for (const std::size_t n : shape.out) x.out.emplace_back(n);
  std::vector<StridedInput> in;
  std::vector<StridedOutput> out;
  for (std::vector<double>& a : x.in) in.push_back({a.data(), a.size()});
  for (std::vector<double>& a : x.out) out.push_back({a.data(), a.size()});
  engine.evaluate(what, 1, in, out);
  for (std::vector<double>& a : x.in) x.in_at.push_back(a.data());
  for (std::vector<double>& a : x.out) x.out_at.push_back(a.data());
  return x;
}

TEST(Verifier, AgreesOnEveryQuantityAndNoticesOneWrongNumber) {
  for (const char* name : {"planar2", "puma560", "stanford", "panda", "quadruped"}) {
    const Robot robot = Robot::load(name);
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
    for (const Quantity what : batched_quantities()) {
      Verifier verifier(robot, what);
      EXPECT_NE(verifier.method(), "newton_euler_link");
      for (unsigned seed = 1; seed <= 3; ++seed) {
        Answered x = answered(robot, engine, what, seed);
        EXPECT_LT(verifier.error(x.in_at.data(), x.out_at.data()), 1e-10)
            << name << " " << parid::name(what) << " " << seed;
        // the largest number of an array, a little larger
        std::vector<double>& array = x.out[seed % x.out.size()];
        double* largest = &array[0];
        for (double& y : array)
          if (std::abs(y) > std::abs(*largest)) largest = &y;
        if (std::abs(*largest) < 0.1) continue;  // a momentum that is none
        *largest *= 1 + 1e-4;
        EXPECT_GT(verifier.error(x.in_at.data(), x.out_at.data()), Verifier::tolerance(what, false))
            << name << " " << parid::name(what) << " " << seed;
        *largest = NAN;
        EXPECT_EQ(verifier.error(x.in_at.data(), x.out_at.data()),
                  std::numeric_limits<double>::infinity())
            << name << " " << parid::name(what) << " " << seed;
      }
    }
  }
}

TEST(Verifier, SaysWhereThereIsNothingToCompare) {
  const Robot robot = Robot::load("puma560");
  for (const Quantity what : batched_quantities()) {
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
    Answered x = answered(robot, engine, what, 1);
    Verifier verifier(robot, what);
    x.in[0][0] = NAN;
    EXPECT_EQ(verifier.error(x.in_at.data(), x.out_at.data()), INFINITY) << parid::name(what);
    for (std::vector<double>& a : x.out) std::fill(a.begin(), a.end(), NAN);
    const double error = verifier.error(x.in_at.data(), x.out_at.data());
    EXPECT_TRUE(std::isnan(error)) << parid::name(what) << " " << error;
    Verification v;
    v.add(7, error);
    EXPECT_EQ(v.rows, 0u);
    EXPECT_EQ(v.not_finite, 1u);
  }
}

TEST(Verifier, KnowsWhatActsOnTheRobotAndIsNotTheSuspect) {
  const Robot robot = Robot::load("puma560");
  ExternalLoads around;
  around.add_wrench(robot, robot.tip(), {1, 2, 3}, {4, 5, 6});
  around.set_base_motion(robot, {0.1, 0.2, 0.3}, {0, 0, 1}, {1, 0, 0});
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  engine.set_external_loads(around);
  Answered x = answered(robot, engine, Quantity::inverse_dynamics, 1);
  EXPECT_LT(Verifier(robot, Quantity::inverse_dynamics, "", around)
                .error(x.in_at.data(), x.out_at.data()),
            1e-12);
  EXPECT_GT(Verifier(robot, Quantity::inverse_dynamics).error(x.in_at.data(), x.out_at.data()),
            1e-3);
  const std::string one = Verifier(robot).method();
  EXPECT_NE(Verifier(robot, Quantity::inverse_dynamics, "", {}, one).method(), one);
}

TEST(Verifier, SamplesRowsAllOverAFile) {
  EXPECT_EQ(sample_of_rows(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  const std::vector<std::size_t> rows = sample_of_rows(1'000'000, 1000);
  EXPECT_EQ(rows.size(), 1000u);
  EXPECT_EQ(std::set<std::size_t>(rows.begin(), rows.end()).size(), 1000u);
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(rows[k] / 1000, k);
  EXPECT_EQ(rows, sample_of_rows(1'000'000, 1000));
}

}  // namespace
}  // namespace parid::test
