#include "graph/evaluate.hpp"

#include <gtest/gtest.h>

#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

template <class T>
T formula(const T& x, const T& y) {  // every operation once
  const auto [s, c] = sin_cos(x);
  const T r = select(x < y, sqrt(abs(x * y)), atan2(y, x));
  return r + s / (T(3.0) + c) - -y;
}

struct EvaluateTest : testing::Test {
  Graph g;
  EvaluateTest() {
    const Expr x = input(g, "x"), y = input(g, "y");
    output(g, "r", formula(x, y));
    output(g, "y", y);
    output(g, "two", Expr(2.0));
  }
};

TEST_F(EvaluateTest, IsTheFormulaInDouble) {
  for (const double x : {-1.0, 0.25, 4.0}) {
    const std::vector<double> r = evaluate<double>(g, {x, 0.5});
    EXPECT_EQ(r, (std::vector<double>{formula(x, 0.5), 0.5, 2}));
  }
}

TEST_F(EvaluateTest, TakesARegisterOfSamples) {
  using P = Pack<4>;
  P x, y;
  for (int k = 0; k < 4; ++k) {
    x.set(k, 0.3 * k - 0.5);
    y.set(k, 0.1);
  }
  const P wanted = formula(x, y);
  const std::vector<P> r = evaluate<P>(g, {x, y});
  for (int k = 0; k < 4; ++k) EXPECT_EQ(r[0][k], wanted[k]);
}

TEST_F(EvaluateTest, DerivesAndCounts) {
  using D = Dual<2>;
  const D x = D::variable(0.2, 0), y = D::variable(0.7, 1);
  const D wanted = formula(x, y), r = evaluate<D>(g, {x, y})[0];
  EXPECT_EQ(r.value, wanted.value);
  EXPECT_EQ(r.d, wanted.d);

  Counted::reset();
  evaluate<Counted>(g, {Counted(0.2), Counted(0.7)});
  const Counts n = counts(g);
  EXPECT_EQ(Counted::count().multiplications, n.multiplications);
  EXPECT_EQ(Counted::count().additions, n.additions);
  EXPECT_EQ(Counted::count().sin_cos, n.sin_cos);  // a pair is worked out once
}

TEST(Evaluate, OnExpressionsCopiesTheGraph) {
  Graph g, h;
  const Expr x = input(g, "x"), y = input(g, "y");
  output(g, "r", x * sin_cos(y).cos + Expr(1.0));
  const std::vector<Expr> r = evaluate<Expr>(g, {input(h, "x"), input(h, "y")});
  output(h, "r", r[0]);
  EXPECT_EQ(live(h), live(g));
}

}  // namespace
}  // namespace parid::test
