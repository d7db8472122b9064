// Regrouping sums: required savings, and no graph becomes worse.

#include "graph/passes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/evaluate.hpp"
#include "graph/text.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

class Factor : public testing::Test {
 protected:
  Graph g;
  Expr a = input(g, "a"), b = input(g, "b"), x = input(g, "x"), y = input(g, "y"),
       z = input(g, "z");
  const Expr two{2.0}, three{3.0}, seven{7.0};

  // Multiplications and additions that are left of the outputs.
  void check(std::initializer_list<Expr> outputs, long multiplications, long additions) {
    Graph h = g;
    int k = 0;
    for (const Expr& e : outputs) output(h, "out" + std::to_string(k++), Expr(h, e.id()));
    const Graph r = factor(simplify(h));
    r.check();
    EXPECT_EQ(counts(r).multiplications, multiplications) << text(r);
    EXPECT_EQ(counts(r).additions, additions) << text(r);
  }
};

// clang-format off
TEST_F(Factor, WhatCancelsIsGone) {
  check({(a * x + b * y) - b * y}, 1, 0);
  check({(x + y) + (x - y)}, 0, 1);  // x + x
  check({seven * (x + y) - seven * (x - y)}, 1, 0);
}
TEST_F(Factor, NumbersInCommon) {
  check({seven * x + seven * y + seven * z}, 1, 2);
  check({seven * (three * x)}, 1, 0);
  check({seven * x + z, seven * x - z}, 1, 2);
}
TEST_F(Factor, OperandsInCommon) {
  check({a * x + a * y}, 1, 1);
  check({a * x - y * a + z}, 1, 2);
}
TEST_F(Factor, SumsInCommon) {
  check({x + y + z, x + y + a}, 0, 3);
  check({seven * x + three * y + z, seven * x + three * y + a}, 2, 3);
  check({(x + y) * a, (y + x) * b}, 2, 1);
  check({(x - y) * a, (y - x) * b}, 2, 1);
}
TEST_F(Factor, LeavesAloneWhatIsLean) {
  check({a * x + b * y}, 2, 1);
  check({sin_cos(two * x).sin + y}, 1, 1);
}
// clang-format on

TEST(FactorAnyGraph, SameValuesNoMoreOperations) {
  int compared = 0, better = 0;
  for (int seed = 0; seed < 600; ++seed) {
    std::mt19937_64 rng(seed);
    const Graph s = simplify(random_graph(rng, seed % 10 == 0 ? 300 : 40, true)), f = factor(s);
    f.check();
    const Counts before = counts(s), after = counts(f);
    ASSERT_LE(after.multiplications + after.additions, before.multiplications + before.additions);
    ASSERT_LE(after.multiplications, before.multiplications) << text(s) << text(f);
    ASSERT_LE(after.divisions, before.divisions);
    ASSERT_LE(after.sin_cos, before.sin_cos);
    better += after.multiplications + after.additions < before.multiplications + before.additions;
    std::vector<double> x;
    for (int k = 0; k < 5; ++k) x.push_back(2 * 0x1p-53 * static_cast<double>(rng() >> 11) + 0.5);
    const std::vector<double> wanted = evaluate<double>(s, x), r = evaluate<double>(f, x);
    for (int k = 0; k < 4; ++k)
      if (std::isfinite(wanted[k]) && std::abs(wanted[k]) < 1e6) {
        ASSERT_NEAR(r[k], wanted[k], 1e-6 * (1 + std::abs(wanted[k]))) << "seed " << seed << "\n"
                                                                       << text(s) << text(f);
        ++compared;
      }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_GT(better, 50);
}

}  // namespace
}  // namespace parid::test
