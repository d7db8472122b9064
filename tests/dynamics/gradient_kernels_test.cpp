// Gradients of one sample: kernels of every instruction set against the plain recursion, the rows
// and factors of trees that they share, and the digits they keep.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/derivative/forward_gradient.hpp"
#include "dynamics/tree_factor.hpp"
#include "parid/dynamics.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "tests/dynamics/batch_check.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
constexpr Quantity gradients[] = {Quantity::inverse_gradient, Quantity::forward_gradient,
                                  Quantity::inverse_vector_product,
                                  Quantity::forward_vector_product};

// Chains shorter and longer than a register, trees, free bases, joints that mimic others.
std::vector<Robot> some_robots() {
  Rng rng(41);
  std::vector<Robot> all;
  for (const int n : {1, 3, 4, 7, 13, 21}) all.emplace_back(random_chain(rng, n));
  for (int k = 0; k < 8; ++k)
    all.emplace_back(
        random_tree(rng, 5 + 3 * k,
                    {.prismatic = 0.3, .spherical = k % 2 ? 0.2 : 0, .floating_base = k % 2 == 1}));
  Description led = random_tree(rng, 7, {.prismatic = 0.3});
  led.joints[5].mimic = Mimic{led.joints[1].name, -0.5, 0.2};
  all.emplace_back(led);
  all.push_back(Robot::load("puma560"));
  all.push_back(Robot::load("humanoid"));
  return all;
}

struct Arrays {
  std::vector<Numbers> in, out;
  std::vector<const double*> from;
  std::vector<double*> to;

  Arrays(const Robot& robot, Quantity what, Rng& rng) {
    const Shape shape = shape_of(robot, what);
    const RandomState s = random_state(rng, robot.description());
    in = {s.q, s.v, s.a, s.v};
    in.resize(shape.in.size());
    for (const std::size_t n : shape.out) out.emplace_back(n, NAN);
    for (const Numbers& x : in) from.push_back(x.data());
    for (Numbers& x : out) to.push_back(x.data());
  }
};

// Of a kernel: the plain recursion over double has neither registers nor their padding.
std::vector<Numbers> plain(const Robot& robot, Quantity what, Arrays arrays) {
  const CanonicalModel& c = robot.canonical();
  std::vector<Numbers> out = arrays.out;
  ForwardGradient<double> forward(c);
  InverseGradient<double>& inverse = forward.inverse;
  const auto& in = arrays.in;
  const double *q = in[0].data(), *v = in[1].data(), *x = in[2].data();
  double *a = out[0].data(), *b = out[1].data(), *d = out[2].data();
  switch (what) {
    case Quantity::inverse_gradient: inverse(q, v, x, a, b, d); break;
    case Quantity::forward_gradient: forward(q, v, x, a, b, d); break;
    case Quantity::inverse_vector_product:
      inverse.vector_product(q, v, x, in[3].data(), a, b, d);
      break;
    default: forward.vector_product(q, v, x, in[3].data(), a, b, d);
  }
  return out;
}

double largest(const std::vector<Numbers>& all) {
  double most = 0;
  for (const Numbers& x : all)
    for (const double each : x) most = std::max(most, std::abs(each));
  return most;
}

TEST(GradientKernels, EveryInstructionSetGivesTheRecursion) {
  Rng rng(43);
  for (const Robot& robot : some_robots())
    for (const Quantity what : gradients) {
      Arrays x(robot, what, rng);
      const std::vector<Numbers> expected = plain(robot, what, x);
      const Shape shape = shape_of(robot, what);
      for (const QuantityKernelSet& set : kernel_sets<QuantityKernelSet>()) {
        const auto kernel = set.single(robot, what, shape.in, shape.out);
        ASSERT_NE(kernel, nullptr);
        ASSERT_EQ(kernel->lanes(), 1);
        for (int twice = 0; twice < 2; ++twice) {  // what a call leaves behind changes nothing
          kernel->rows(-1, x.from.data(), x.to.data(), 1);
          // Of the largest derivative: those by the velocity of a single link are rounding alone.
          for (std::size_t k = 0; k < expected.size(); ++k)
            for (std::size_t i = 0; i < expected[k].size(); ++i)
              EXPECT_NEAR(x.out[k][i], expected[k][i], 1e-9 * largest(expected))
                  << robot.name() << ", " << robot.nv() << " coordinates, " << name(what) << " "
                  << set.name;
        }
      }
    }
}

TEST(GradientKernels, OtherQuantitiesHaveNone) {
  const Robot robot = Robot::load("planar2");
  const Shape shape = shape_of(robot, Quantity::energy);
  for (const QuantityKernelSet& set : kernel_sets<QuantityKernelSet>())
    EXPECT_EQ(set.single(robot, Quantity::energy, shape.in, shape.out), nullptr);
}

// Two hundred random trees: every derivative against the reference by nested numbers.
TEST(GradientKernels, TwoHundredRandomTreesAgreeWithTheReference) {
  Rng rng(47);
  for (int k = 0; k < 200; ++k) {
    const Robot robot(
        random_tree(rng, 2 + k % 9,
                    {.prismatic = 0.3, .spherical = k % 3 ? 0 : 0.3, .floating_base = k % 4 == 1}));
    Workspace workspace(robot);
    for (const Quantity what : gradients) {
      Arrays x(robot, what, rng);
      std::vector<std::span<const double>> in(x.in.begin(), x.in.end());
      std::vector<std::span<double>> out(x.out.begin(), x.out.end());
      evaluate(robot, workspace, what, in, out);
      PlainCheck check(robot, what);
      EXPECT_LT(check.error(x.from.data(), x.to.data()), 1e-9)
          << robot.name() << " " << k << " " << name(what);
    }
  }
}

// The moments of a light wrist about a far origin would lose digits that M⁻¹ needs.
TEST(GradientKernels, ForwardGradientsOfArmsKeepTheirDigits) {
  for (const char* id : {"puma560", "ur5", "panda", "stanford"}) {
    const Robot robot = Robot::load(id).without_rotors();
    const auto n = static_cast<std::size_t>(robot.nv());
    ForwardGradient<long double> exact(robot.canonical());
    Workspace workspace(robot);
    Rng rng(53);
    for (int sample = 0; sample < 50; ++sample) {
      const RandomState s = random_state(rng, robot.description());
      const std::vector<long double> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()),
          tau(s.a.begin(), s.a.end());
      std::vector<long double> right[3];
      Numbers got[3];
      for (int k = 0; k < 3; ++k) {
        right[k].resize(n * n);
        got[k].resize(n * n);
      }
      exact(q.data(), v.data(), tau.data(), right[0].data(), right[1].data(), right[2].data());
      forward_gradient(robot, workspace, s.q, s.v, s.a, got[0], got[1], got[2]);
      for (int k = 0; k < 3; ++k)
        EXPECT_LT(relative_difference(got[k], Numbers(right[k].begin(), right[k].end())), 3e-13)
            << id << " " << sample << " " << k;
    }
  }
}

// Random positive definite matrices with the sparsity of trees.
TEST(TreeFactor, RowsAndInverseAreThoseOfOneColumnAtATime) {
  Rng rng(59);
  for (int n = 1; n <= 12; ++n)
    for (const bool chain : {true, false}) {
      std::vector<int> parent;
      for (int k = 0; k < n; ++k)
        parent.push_back(chain ? k - 1 : static_cast<int>(uniform(rng, -1, k) + 1) - 1);
      std::vector<double> H(static_cast<std::size_t>(n * n));
      for (int k = 0; k < n; ++k) {
        H[static_cast<std::size_t>(k * n + k)] = n + 1;
        for (int i = parent[k]; i >= 0; i = parent[i])
          H[static_cast<std::size_t>(k * n + i)] = uniform(rng, -1, 1);
      }
      const TreePaths paths(parent);
      tree_factor<double>(paths, H.data(), n);
      const int width = 5;
      std::vector<double> X, inverse(static_cast<std::size_t>(n * n)), Y;
      for (int k = 0; k < n * width; ++k) X.push_back(uniform(rng, -1, 1));
      Y = X;
      tree_solve_rows<double>(paths, H.data(), n, Y.data(), width);
      tree_inverse<double>(paths, H.data(), n, inverse.data(), n);
      std::vector<double> product(X.size());
      times_rows<double>(n, inverse.data(), n, X.data(), product.data(), width, width);
      for (int c = 0; c < width; ++c) {
        std::vector<double> column;
        for (int k = 0; k < n; ++k) column.push_back(X[static_cast<std::size_t>(k * width + c)]);
        tree_solve<double>(paths, H.data(), n, column.data());
        for (int k = 0; k < n; ++k) {
          const auto at = static_cast<std::size_t>(k * width + c);
          EXPECT_NEAR(Y[at], column[static_cast<std::size_t>(k)], 1e-14);
          EXPECT_NEAR(product[at], column[static_cast<std::size_t>(k)], 1e-13);
        }
      }
    }
}

}  // namespace
}  // namespace parid::test
