// The second opinion agrees with right answers, on every question, and notices wrong ones.

#include "parid/method/witness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "parid/error.hpp"
#include "parid/run/answers.hpp"
#include "parid/run/engine.hpp"
#include "parid/run/generic_rows.hpp"

namespace parid {
namespace {

struct Answered {
  std::vector<std::vector<double>> in, out;
  std::vector<const double*> in_at, out_at;
};

// One row by chance near the neutral position, quaternions of length one.
Answered answered(const Robot& robot, Engine& engine, const std::string& what, unsigned seed) {
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
  std::vector<Strided<const double>> in;
  std::vector<Strided<double>> out;
  for (std::vector<double>& a : x.in) in.push_back({a.data(), a.size()});
  for (std::vector<double>& a : x.out) out.push_back({a.data(), a.size()});
  engine.evaluate(what, 1, std::span<const Strided<const double>>(in),
                  std::span<const Strided<double>>(out));
  for (std::vector<double>& a : x.in) x.in_at.push_back(a.data());
  for (std::vector<double>& a : x.out) x.out_at.push_back(a.data());
  return x;
}

TEST(Witness, AgreesOnEveryQuestionAndNoticesOneWrongNumber) {
  for (const char* name : {"planar2", "puma560", "stanford", "panda", "quadruped"}) {
    const Robot robot = Robot::load(name);
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .questions = {}});
    for (const std::string& what : batch_questions()) {
      Witness witness(robot, what);
      EXPECT_NE(witness.method(), "newton_euler_link");
      for (unsigned seed = 1; seed <= 3; ++seed) {
        Answered x = answered(robot, engine, what, seed);
        EXPECT_LT(witness.error(x.in_at.data(), x.out_at.data()), 1e-10)
            << name << " " << what << " " << seed;
        // the largest number of an array, a little larger
        std::vector<double>& array = x.out[seed % x.out.size()];
        double* largest = &array[0];
        for (double& y : array)
          if (std::abs(y) > std::abs(*largest)) largest = &y;
        if (std::abs(*largest) < 0.1) continue;  // a momentum that is none
        *largest *= 1 + 1e-4;
        EXPECT_GT(witness.error(x.in_at.data(), x.out_at.data()), Witness::tolerance(what, false))
            << name << " " << what << " " << seed;
        *largest = NAN;
        EXPECT_EQ(witness.error(x.in_at.data(), x.out_at.data()),
                  std::numeric_limits<double>::infinity());
      }
    }
  }
}

TEST(Witness, SaysWhereThereIsNothingToCompare) {
  const Robot robot = Robot::load("puma560");
  for (const std::string& what : batch_questions()) {
    Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .questions = {}});
    Answered x = answered(robot, engine, what, 1);
    Witness witness(robot, what);
    x.in[0][0] = NAN;
    EXPECT_EQ(witness.error(x.in_at.data(), x.out_at.data()), INFINITY) << what;
    for (std::vector<double>& a : x.out) std::fill(a.begin(), a.end(), NAN);
    const double error = witness.error(x.in_at.data(), x.out_at.data());
    EXPECT_TRUE(std::isnan(error)) << what << " " << error;
    Verification v;
    v.add(7, error);
    EXPECT_EQ(v.rows, 0u);
    EXPECT_EQ(v.not_finite, 1u);
  }
}

TEST(Witness, KnowsWhatActsOnTheRobotAndIsNotTheSuspect) {
  const Robot robot = Robot::load("puma560");
  Surroundings around;
  around.add_wrench(robot, robot.tip(), {1, 2, 3}, {4, 5, 6});
  around.set_base_motion(robot, {0.1, 0.2, 0.3}, {0, 0, 1}, {1, 0, 0});
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .questions = {}});
  engine.set_surroundings(around);
  Answered x = answered(robot, engine, "inverse", 1);
  EXPECT_LT(Witness(robot, "inverse", "", around).error(x.in_at.data(), x.out_at.data()), 1e-12);
  EXPECT_GT(Witness(robot, "inverse").error(x.in_at.data(), x.out_at.data()), 1e-3);
  const std::string one = Witness(robot).method();
  EXPECT_NE(Witness(robot, "inverse", "", {}, one).method(), one);
}

TEST(Witness, SamplesRowsAllOverAFile) {
  EXPECT_EQ(sample_of_rows(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  const std::vector<std::size_t> rows = sample_of_rows(1'000'000, 1000);
  EXPECT_EQ(rows.size(), 1000u);
  EXPECT_EQ(std::set<std::size_t>(rows.begin(), rows.end()).size(), 1000u);
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(rows[k] / 1000, k);
  EXPECT_EQ(rows, sample_of_rows(1'000'000, 1000));
}

}  // namespace
}  // namespace parid
