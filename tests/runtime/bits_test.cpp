// A row's bits are its own: not the number of threads, nor its place in the batch, nor its
// neighbours change them.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "parid/engine.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

template <class Real>
struct Batch {
  std::size_t rows = 0;
  std::vector<Real> q, v, a;
};

template <class Real>
Batch<Real> random_batch(const Robot& robot, std::size_t rows, int seed) {
  Rng rng(seed);
  Batch<Real> b{rows, {}, {}, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    const RandomState s = random_state(rng, robot.description());
    b.q.insert(b.q.end(), s.q.begin(), s.q.end());
    b.v.insert(b.v.end(), s.v.begin(), s.v.end());
    b.a.insert(b.a.end(), s.a.begin(), s.a.end());
  }
  return b;
}

// Rows `from` of b, in that order.
template <class Real>
Batch<Real> picked(const Robot& robot, const Batch<Real>& b, const std::vector<std::size_t>& from) {
  Batch<Real> out{from.size(), {}, {}, {}};
  for (std::size_t r : from) {
    out.q.insert(out.q.end(), b.q.begin() + r * robot.nq(), b.q.begin() + (r + 1) * robot.nq());
    out.v.insert(out.v.end(), b.v.begin() + r * robot.nv(), b.v.begin() + (r + 1) * robot.nv());
    out.a.insert(out.a.end(), b.a.begin() + r * robot.nv(), b.a.begin() + (r + 1) * robot.nv());
  }
  return out;
}

template <class Real>
std::vector<Real> torques(Engine& engine, const Robot& robot, const Batch<Real>& b) {
  std::vector<Real> tau(b.rows * robot.nv(), Real(NAN));
  engine.inverse_dynamics(b.rows, std::span<const Real>(b.q), b.v, b.a, tau);
  return tau;
}

template <class Real>
bool same_bits(const std::vector<Real>& x, const std::vector<Real>& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(Real)) == 0);
}

std::vector<Robot> robots() {
  Rng rng(1);
  return {Robot::load("puma560"), Robot::load("stanford"), Robot::load("quadruped"),
          Robot::load("chain:12"),
          Robot(random_tree(rng, 12,
                            {.prismatic = 0.3, .planar = 0.2, .spherical = 0.2, .tips = true}))};
}

template <class Real>
void expect_same_for_any_number_of_threads() {
  for (const Robot& robot : robots())
    for (std::size_t rows : {1, 7, 64, 65, 1000, 20011}) {
      const Batch<Real> b = random_batch<Real>(robot, rows, 2);
      Engine alone(robot, {.threads = 1, .kernel = KernelKind::generic});
      const std::vector<Real> expected = torques(alone, robot, b);
      EXPECT_TRUE(
          std::all_of(expected.begin(), expected.end(), [](Real x) { return std::isfinite(x); }));
      for (int threads : {2, 5}) {
        Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
        EXPECT_EQ(engine.threads(), threads);
        for (int again = 0; again < 3; ++again)
          EXPECT_TRUE(same_bits(torques(engine, robot, b), expected))
              << robot.name() << ", " << rows << " rows, " << threads << " threads";
      }
    }
}
TEST(Bits, AreTheSameForAnyNumberOfThreads) {
  expect_same_for_any_number_of_threads<double>();
  expect_same_for_any_number_of_threads<float>();
}

template <class Real>
void expect_same_anywhere_in_the_batch() {
  for (const Robot& robot : robots()) {
    Engine engine(robot, {.threads = 2, .kernel = KernelKind::generic});
    const std::size_t all = 200, nv = robot.nv();
    const Batch<Real> b = random_batch<Real>(robot, all, 3);
    const std::vector<Real> expected = torques(engine, robot, b);
    Rng rng(4);
    for (std::size_t rows = 1; rows <= 40; ++rows) {
      std::vector<std::size_t> from(rows);
      for (std::size_t& r : from) r = rng() % all;
      const std::vector<Real> tau = torques(engine, robot, picked(robot, b, from));
      for (std::size_t r = 0; r < rows; ++r)
        EXPECT_EQ(0, std::memcmp(&tau[r * nv], &expected[from[r] * nv], nv * sizeof(Real)))
            << robot.name() << ", row " << r << " of " << rows;
    }
  }
}
TEST(Bits, DoNotDependOnTheRowsPlace) {
  expect_same_anywhere_in_the_batch<double>();
  expect_same_anywhere_in_the_batch<float>();
}

// A neighbour far beyond the range of the fast sine, or no number at all, is the neighbour's
// affair.
TEST(Bits, DoNotDependOnTheNeighbours) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  const Batch<double> b = random_batch<double>(robot, 40, 5);
  const std::vector<double> expected = torques(engine, robot, b);
  Batch<double> odd = b;
  for (std::size_t r = 0; r < b.rows; r += 3) odd.q[r * 6 + r % 6] = r % 2 ? NAN : 1e9;
  const std::vector<double> tau = torques(engine, robot, odd);
  for (std::size_t r = 0; r < b.rows; ++r)
    if (r % 3 != 0) {
      EXPECT_EQ(0, std::memcmp(&tau[r * 6], &expected[r * 6], 6 * sizeof(double))) << r;
    }
  EXPECT_TRUE(std::isnan(tau[3 * 6]) || std::isnan(tau[3 * 6 + 1]));
}

TEST(Bits, NoRowsAreNoWork) {
  const Robot robot = Robot::load("puma560");
  for (int threads : {1, 2}) {
    Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
    EXPECT_NO_THROW(engine.inverse_dynamics(0, std::span<const double>(), {}, {}, {}));
    EXPECT_NO_THROW(engine.inverse_dynamics(0, std::span<const float>(), {}, {}, {}));
  }
}

// A robot of nothing but its base has rows without numbers.
TEST(Bits, ARobotThatCannotMoveHasEmptyRows) {
  Description d;
  d.name = "rock";
  d.links.push_back({"rock", Inertia{1, {}, {1, 1, 1, 0, 0, 0}}, 0, 0});
  const Robot robot(d);
  Engine engine(robot, {.threads = 2, .kernel = KernelKind::generic});
  EXPECT_NO_THROW(engine.inverse_dynamics(1000, std::span<const double>(), {}, {}, {}));
  Workspace workspace(robot);
  EXPECT_NO_THROW(inverse_dynamics(robot, workspace, std::span<const double>(), {}, {}, {}));
}

TEST(Bits, WrongSizesAreRefused) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  std::vector<double> x(12), tau(12);
  EXPECT_THROW(engine.inverse_dynamics(1, x, x, x, tau), std::invalid_argument);
  EXPECT_NO_THROW(engine.inverse_dynamics(2, x, x, x, tau));
  Workspace workspace(robot);
  EXPECT_THROW(inverse_dynamics(robot, workspace, x, x, x, tau), std::invalid_argument);
  const Robot other = Robot::load("puma560");
  Workspace elsewhere(other);
  x.resize(6);
  tau.resize(6);
  EXPECT_THROW(inverse_dynamics(robot, elsewhere, x, x, x, tau), std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
