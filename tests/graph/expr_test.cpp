#include "graph/expr.hpp"

#include <gtest/gtest.h>

#include "graph/passes.hpp"
#include "graph/text.hpp"
#include "math/mat3.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string traced(Graph& g, const Expr& x) {
  output(g, "r", x);
  return text(live(g));
}

TEST(Expr, NumbersAmongThemselvesAreWorkedOutAtOnce) {
  EXPECT_EQ((Expr(2.0) * Expr(3.0) - Expr(1.0) / Expr(4.0)).number(), 5.75);
  EXPECT_EQ((-sqrt(abs(Expr(-9.0)))).number(), -3);
  EXPECT_EQ(select(Expr(1.0) < Expr(2.0), Expr(3.0), Expr(4.0)).number(), 3);
  EXPECT_EQ(select(Expr(2.0) < Expr(1.0), Expr(3.0), Expr(4.0)).number(), 4);
  EXPECT_EQ(sin_cos(Expr(0.5)).sin.number(), std::sin(0.5));
  EXPECT_EQ(sin_cos(Expr(0.5)).cos.number(), std::cos(0.5));
  EXPECT_EQ(atan2(Expr(1.0), Expr(2.0)).number(), std::atan2(1.0, 2.0));
  EXPECT_EQ(Expr().number(), 0);
}

TEST(Expr, WhatTouchesANodeIsWrittenDownAsItStands) {
  Graph g;
  const Expr x = input(g, "x");
  EXPECT_EQ(traced(g, Expr(0.0) * x + Expr(1.0) * x - -x),
            "input x\n"
            "t1 = mul 0 x\n"
            "t2 = mul 1 x\n"
            "t3 = add t1 t2\n"
            "t4 = neg x\n"
            "t5 = sub t3 t4\n"
            "output r = t5\n");
}

TEST(Expr, EveryOperationHasItsNode) {
  Graph g;
  const Expr x = input(g, "x"), y = input(g, "y");
  const auto [s, c] = sin_cos(x);
  EXPECT_EQ(traced(g, select(s < c, atan2(abs(y), x), sqrt(x) / y)),
            "input x y\n"
            "t1 = sin x\n"
            "t2 = cos x\n"
            "t3 = less t1 t2\n"
            "t4 = abs y\n"
            "t5 = atan2 t4 x\n"
            "t6 = sqrt x\n"
            "t7 = div t6 y\n"
            "t8 = select t3 t5 t7\n"
            "output r = t8\n");
}

TEST(Expr, AKnownMaskChoosesAtOnce) {
  Graph g;
  const Expr x = input(g, "x"), y = input(g, "y");
  EXPECT_TRUE(select(Expr(0.0) < Expr(1.0), x, y).same(x));
  EXPECT_TRUE(select(Expr(1.0) < Expr(0.0), x, y).same(y));
}

TEST(Expr, VectorsOfExpressionsAreVectors) {
  Graph g;
  const Vec3<Expr> a{input(g, "x"), input(g, "y"), input(g, "z")}, zero;
  EXPECT_TRUE(dot(zero, zero).is_number());
  EXPECT_EQ(traced(g, dot(a, a)),
            "input x y z\n"
            "t1 = mul x x\n"
            "t2 = mul y y\n"
            "t3 = add t1 t2\n"
            "t4 = mul z z\n"
            "t5 = add t3 t4\n"
            "output r = t5\n");
}

}  // namespace
}  // namespace parid::test
