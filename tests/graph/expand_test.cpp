#include "graph/expand.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Expand : testing::Test {
  Graph g;
  Expr a = input(g, "a"), b = input(g, "b"), x = input(g, "x");
  Expr ca = sin_cos(a).cos, sa = sin_cos(a).sin, cb = sin_cos(b).cos, sb = sin_cos(b).sin;
  Expr two{2.0}, one{1.0};

  // That many terms remain, and they are equal to the graph.
  std::vector<Expanded> check(const Expr& e, std::size_t terms) {
    Graph h = g;
    output(h, "r", Expr(h, e.id()));
    const std::vector<Expanded> all = expanded(h);
    EXPECT_EQ(all[0].terms.size(), terms);
    std::mt19937_64 rng(3);
    for (int k = 0; k < 5; ++k) {
      std::vector<double> at;
      for (int i = 0; i < 3; ++i) at.push_back(4 * 0x1p-53 * static_cast<double>(rng() >> 11) - 2);
      EXPECT_NEAR(value(all[0], at), evaluate<double>(h, at)[0], 1e-13);
    }
    return all;
  }
};

// clang-format off
TEST_F(Expand, MultipliesOut) { check((a + b) * (a - b), 2); }
TEST_F(Expand, WhatCancelsIsGone) { check((a + b) * (a + b) - a * a - b * b - two * (a * b), 0); }
TEST_F(Expand, RoundingIsGone) { check(Expr(0.1) * a + Expr(0.2) * a - Expr(0.3) * a + b, 1); }
TEST_F(Expand, SquaresMakeOne) { check(ca * ca + sa * sa, 1); }
TEST_F(Expand, SquaresOfSines) { check(x - x * (ca * ca), 1); }
TEST_F(Expand, Sums) { check(ca * cb - sa * sb, 1);
 check(ca * cb + sa * sb, 1); }
TEST_F(Expand, SinesOfSums) { check(sa * cb + ca * sb, 1);
 check(sa * cb - ca * sb, 1);
 check(ca * sb - sa * cb, 1); }
TEST_F(Expand, SumsAreTakenApartToCancel) { check(sin_cos(a + b).cos - ca * cb, 1); }
TEST_F(Expand, SumsWithFactors) { check(two * (x * (ca * cb)) - (two * x) * (sa * sb) + x, 2); }
TEST_F(Expand, OffsetsAndNegativeAngles) { check(sin_cos(a + Expr(M_PI / 2)).cos + sa, 0);
 check(sin_cos(-a).sin + sa, 0); }
TEST_F(Expand, Differences) { check(sin_cos(a - b).sin, 1);
 check(sin_cos(b - a).sin, 1); }
TEST_F(Expand, ThreeAngles) { check(sin_cos(a + b + x).sin, 1); }
TEST_F(Expand, Multiples) { check(sin_cos(two * a).sin - sin_cos(two * a).sin * ca, 2); }
// clang-format on

TEST_F(Expand, CountsWhatStandsThere) {
  const ExpandedCost n = cost(check(two * (x * ca) - sin_cos(a + b).sin, 2));
  EXPECT_EQ(n.terms, 2);
  EXPECT_EQ(n.multiplications, 2);
  EXPECT_EQ(n.additions, 2);  // one of them of angles
}

std::string complaint(const Graph& g, std::size_t limit) {
  try {
    expanded(g, limit);
  } catch (const NotExpandable& e) {
    return e.what();
  }
  return "";
}

TEST_F(Expand, SaysWhatItCannot) {
  Graph h = g, k = g, l = g;
  output(h, "r", Expr(h, a.id()));
  EXPECT_EQ(complaint(h, 10), "");
  const Expr x(k, k.inputs()[0].id), y(k, k.inputs()[1].id);
  output(k, "r", x / y);
  EXPECT_NE(complaint(k, 10).find("'div'"), std::string::npos);
  const Expr u(l, l.inputs()[0].id), v(l, l.inputs()[1].id), w = (u + v) * (u + v);
  output(l, "r", w * w * w);
  EXPECT_NE(complaint(l, 5).find("limit is 5"), std::string::npos) << complaint(l, 5);
  EXPECT_EQ(complaint(l, 7), "");
}

}  // namespace
}  // namespace parid::test
