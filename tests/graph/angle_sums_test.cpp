#include "graph/passes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "graph/text.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct AngleSums : testing::Test {
  Graph g;
  Expr a = input(g, "a"), b = input(g, "b"), x = input(g, "x"), y = input(g, "y");
  Expr ca = sin_cos(a).cos, sa = sin_cos(a).sin, cb = sin_cos(b).cos, sb = sin_cos(b).sin;
  Expr two{2.0};

  void check(std::initializer_list<Expr> from, std::initializer_list<Expr> wanted) {
    Graph h = g, w = g;
    for (const Expr& e : from) output(h, "r" + std::to_string(h.outputs().size()), Expr(h, e.id()));
    for (const Expr& e : wanted)
      output(w, "r" + std::to_string(w.outputs().size()), e.is_number() ? e : Expr(w, e.id()));
    const Graph r = angle_sums(h);
    r.check();
    EXPECT_EQ(text(r), text(simplify(w)));
    const std::vector<double> at{0.3, -1.1, 2.5, 0.7};
    const std::vector<double> before = evaluate<double>(h, at), after = evaluate<double>(r, at);
    for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-14);
  }
  static Expr sine(const Expr& e) { return sin_cos(e).sin; }
  static Expr cosine(const Expr& e) { return sin_cos(e).cos; }
};

// clang-format off
TEST_F(AngleSums, CosineOfASum) { check({ca * cb - sa * sb}, {cosine(a + b)}); }
TEST_F(AngleSums, CosineOfADifference) { check({ca * cb + sa * sb}, {cosine(a - b)}); }
TEST_F(AngleSums, SineOfASum) { check({sa * cb + ca * sb}, {sine(a + b)}); }
TEST_F(AngleSums, SineOfADifference) { check({sa * cb - ca * sb}, {sine(a - b)}); }
TEST_F(AngleSums, TheOtherWayRound) { check({ca * sb - sa * cb}, {-sine(a - b)});
 check({sa * sb - ca * cb}, {-cosine(a + b)}); }
TEST_F(AngleSums, BothOfATurn) { check({ca * cb - sa * sb, sa * cb + ca * sb}, {cosine(a + b), sine(a + b)}); }
TEST_F(AngleSums, WithAFactor) { check({(x * ca) * cb - (x * sa) * sb}, {x * cosine(a + b)}); }
TEST_F(AngleSums, WithANumber) { check({(two * ca) * cb - sb * (two * sa)}, {two * cosine(a + b)}); }
TEST_F(AngleSums, AmongOtherTerms) { check({(ca * cb + x) - sa * sb}, {cosine(a + b) + x}); }
TEST_F(AngleSums, OfThreeAngles) {
  const Expr cy = cosine(y), sy = sine(y), c = ca * cb - sa * sb, s = sa * cb + ca * sb;
  check({c * cy - s * sy}, {cosine((a + b) + y)});
}
TEST_F(AngleSums, SquaresMakeOne) { check({(x * ca) * ca + (x * sa) * sa}, {x}); }
TEST_F(AngleSums, NotWhereTheProductsAreNeeded) {
  check({(ca * cb - sa * sb) * x, ca * cb, sa * sb}, {(ca * cb - sa * sb) * x, ca * cb, sa * sb});
}
TEST_F(AngleSums, NotWhereItTakesAnotherPair) {
  check({ca * cb - sa * sb, sa * x, cb * x}, {ca * cb - sa * sb, sa * x, cb * x});
}
TEST_F(AngleSums, NotWhereFactorsDiffer) { check({(x * ca) * cb - (y * sa) * sb}, {(x * ca) * cb - (y * sa) * sb}); }
// clang-format on

TEST(AngleSumsAnyGraph, SameValuesNoMoreOperations) {
  int compared = 0, better = 0;
  for (int seed = 0; seed < 400; ++seed) {
    std::mt19937_64 rng(seed);
    // turned vectors, again and again, among other things
    Graph g = random_graph(rng, 20, true);
    std::vector<Expr> angle, u{Expr(g, g.inputs()[0].id), Expr(g, g.inputs()[1].id)};
    for (int k = 2; k < 5; ++k) angle.emplace_back(g, g.inputs()[k].id);
    for (int k = 0; k < 4; ++k) {
      const auto [s, c] = sin_cos(angle[rng() % 3]);
      const Expr sign(rng() % 2 == 0 ? 1.0 : -1.0), x = c * u[0] - sign * (s * u[1]);
      u = {x, sign * (s * u[0]) + c * u[1]};
      if (rng() % 3 == 0) u[rng() % 2] = Expr(0.0);
    }
    output(g, "u", u[0]);
    output(g, "w", u[1]);
    const Graph s = simplify(g), r = angle_sums(s);
    r.check();
    const Counts before = counts(s), after = counts(r);
    ASSERT_LE(after.multiplications, before.multiplications) << text(s) << text(r);
    ASSERT_LE(after.additions, before.additions) << text(s) << text(r);
    ASSERT_LE(after.divisions, before.divisions);
    better += after.multiplications < before.multiplications;
    std::vector<double> x;
    for (int k = 0; k < 5; ++k) x.push_back(2 * 0x1p-53 * static_cast<double>(rng() >> 11) + 0.5);
    const std::vector<double> wanted = evaluate<double>(s, x), found = evaluate<double>(r, x);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      if (std::isfinite(wanted[k]) && std::abs(wanted[k]) < 1e6) {
        ASSERT_NEAR(found[k], wanted[k], 1e-8 * (1 + std::abs(wanted[k])))
            << seed << text(s) << text(r);
        ++compared;
      }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_GT(better, 30);
}

}  // namespace
}  // namespace parid::test
