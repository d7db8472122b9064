#include "graph/passes.hpp"

#include <gtest/gtest.h>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "graph/text.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Simplify : testing::Test {
  Graph g;
  Expr x = input(g, "x"), y = input(g, "y"), z = input(g, "z");
  Expr zero{0.0}, one{1.0}, two{2.0}, three{3.0};

  void check(const Expr& from, const Expr& wanted) const {
    Graph a = g, b = g;
    a.output("r", Expr(from).is_number() ? a.constant(from.number()) : from.id());
    b.output("r", wanted.is_number() ? b.constant(wanted.number()) : wanted.id());
    EXPECT_EQ(text(simplify(a)), text(live(b)));
  }
};

// clang-format off
TEST_F(Simplify, Addition) {
  check(x + zero, x);
  check(zero + x, x);
  check(x + Expr(-0.0), x);
  check(x + (-y), x - y);
  check((-x) + y, y - x);
  check((-x) + (-y), -(x + y));
  check(x + Expr(-2.0), x - two);
  check(Expr(-2.0) + x, x - two);
  check(x + (-x), zero);
  check(x + x, x + x);
  check(y + x, x + y);
  check(x + two, two + x);
}
TEST_F(Simplify, Subtraction) {
  check(x - zero, x);
  check(zero - x, -x);
  check(x - x, zero);
  check(x - (-y), x + y);
  check((-x) - y, -(x + y));
  check((-x) - (-y), y - x);
  check(x - Expr(-2.0), two + x);
  check(Expr(-2.0) - x, -(two + x));
  check((y + x) - (x + y), zero);
}
TEST_F(Simplify, Multiplication) {
  check(x * zero, zero);
  check(zero * x, zero);
  check(x * one, x);
  check(one * x, x);
  check(x * Expr(-1.0), -x);
  check(Expr(-1.0) * x, -x);
  check((-x) * y, -(x * y));
  check(x * (-y), -(x * y));
  check((-x) * (-y), x * y);
  check(x * Expr(-2.0), -(two * x));
  check(y * x, x * y);
  check(x * two, two * x);
  check(two * (three * x), two * (three * x));
}
TEST_F(Simplify, Division) {
  check(zero / x, zero);
  check(x / one, x);
  check(x / Expr(-1.0), -x);
  check((-x) / y, -(x / y));
  check(x / (-y), -(x / y));
  check((-x) / (-y), x / y);
  check(x / x, x / x);
}
TEST_F(Simplify, Signs) {
  check(-(-x), x);
  check(abs(-x), abs(x));
  check(abs(abs(x)), abs(x));
  check(sin_cos(-x).sin, -sin_cos(x).sin);
  check(sin_cos(-x).cos, sin_cos(x).cos);
  check(-(zero * x), zero);
  check(z - (-x) * y, z + x * y);
  check(z + x * Expr(-2.0), z - two * x);
}
TEST_F(Simplify, Choice) {
  check(select(x < y, z, z), z);
  check(select(x < x, y, z), z);
  check(select(zero * x < one, y, z), y);
  check(select(one < zero * x, y, z), z);
  check(select(x < y, z + zero, z), z);
  check(select(x < y, z, x), select(x < y, z, x));
  check(select(x < y, z, zero) + select(x < y, zero, x), select(x < y, z, x));
  check(select(x < y, zero, x) + select(x < y, z, zero), select(x < y, z, x));
  check(select(x < y, z, zero) + x, x + select(x < y, z, zero));
}
TEST_F(Simplify, Constants) {
  check((zero * x + two) * three, Expr(6.0));
  check(sqrt(zero * x + Expr(4.0)), two);
  check(abs(zero * x - two), two);
  check(two / (zero * x + Expr(4.0)), Expr(0.5));
  check(sin_cos(zero * x + one).sin, Expr(std::sin(1.0)));
  check(sin_cos(zero * x + one).cos, Expr(std::cos(1.0)));
  check(atan2(zero * x + one, two), Expr(std::atan2(1.0, 2.0)));
}
TEST_F(Simplify, Sharing) {
  check((x * y) * (y * x), (x * y) * (x * y));
  check((x - y) * (y - x), -((x - y) * (x - y)));
  check(x * two + z * (x * Expr(-2.0)), two * x - z * (two * x));
}
// clang-format on

TEST_F(Simplify, KeepsTheSignature) {
  output(g, "a", y * zero);
  output(g, "b", y);
  const Graph s = simplify(g);
  EXPECT_EQ(text(s), "input x y z\noutput a = 0\noutput b = y\n");
  EXPECT_EQ(s.limit(), g.limit());
}

// ---- random graphs
// ----------------------------------------------------------------------------------

TEST(SimplifyAnyGraph, SameValuesNoMoreOperations) {
  int compared = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    std::mt19937_64 rng(seed);
    const Graph g = random_graph(rng, seed % 10 == 0 ? 400 : 40), s = simplify(g);
    s.check();
    ASSERT_EQ(simplify(s), s) << text(g);
    ASSERT_EQ(live(s), s);
    const Counts before = counts(live(g)), after = counts(s);
    ASSERT_LE(after.multiplications, before.multiplications) << text(g);
    ASSERT_LE(after.additions, before.additions) << text(g);
    ASSERT_LE(after.divisions, before.divisions) << text(g);
    ASSERT_LE(after.square_roots, before.square_roots) << text(g);
    ASSERT_LE(after.sin_cos, before.sin_cos) << text(g);
    ASSERT_LE(after.atan2, before.atan2) << text(g);

    std::vector<double> x;
    for (int k = 0; k < 5; ++k) x.push_back(4 * 0x1p-53 * static_cast<double>(rng() >> 11) - 2);
    const std::vector<double> wanted = evaluate<double>(g, x), r = evaluate<double>(s, x);
    for (int k = 0; k < 4; ++k)
      if (std::isfinite(wanted[k])) {
        ASSERT_EQ(r[k], wanted[k]) << "seed " << seed << "\n" << text(g) << text(s);
        ++compared;
      }
  }
  EXPECT_GT(compared, 7900);
}

}  // namespace
}  // namespace parid::test
