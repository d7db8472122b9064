#include "graph/passes.hpp"

#include <gtest/gtest.h>

#include "graph/expr.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Fused : testing::Test {
  Graph g;
  Expr a = input(g, "a"), b = input(g, "b"), x = input(g, "x"), y = input(g, "y");

  void check(std::initializer_list<Expr> outputs, long slots) {
    Graph h = g;
    int k = 0;
    for (const Expr& e : outputs) output(h, "out" + std::to_string(k++), Expr(h, e.id()));
    EXPECT_EQ(fma_slots(live(h)), slots);
  }
};

// clang-format off
TEST_F(Fused, AProductIntoItsSum) { check({a * x + b}, 1);
 check({a * x - b}, 1);
 check({b - a * x}, 1); }
TEST_F(Fused, OnlyOneIntoEach) { check({a * x + b * y}, 2); }
TEST_F(Fused, NotWhereItIsNeededItself) { check({a * x + b, a * x}, 2);
 check({(a * x + b) * (a * x)}, 3); }
TEST_F(Fused, IntoAllOfSeveralSums) { check({a * x + b, a * x - y}, 2); }
TEST_F(Fused, OrIntoNone) { check({a * x + b, a * x - b * y, (b * y) * a}, 4); }
TEST_F(Fused, NotTwiceIntoOne) { check({a * x + a * x}, 2); }
// clang-format on

TEST(FusedAnyGraph, ASumTakesInOneProductAndAProductGoesWhole) {
  long fused = 0;
  for (int seed = 0; seed < 300; ++seed) {
    std::mt19937_64 rng(seed);
    const Graph g = simplify(random_graph(rng, 120));
    const std::vector<int> taken = fused_operands(g);
    const std::vector<bool> gone = fused_products(g, taken);
    for (Id id = 0; id < g.size(); ++id) {
      const Node& n = g[id];
      if (taken[id] != not_fused) {
        ASSERT_TRUE(n.op == Op::add || n.op == Op::sub);
        ASSERT_EQ(g[n.in[taken[id]]].op, Op::mul);
        ++fused;
      }
      for (int k = 0; k < row(n.op).arity; ++k)
        if (gone[n.in[k]]) {
          ASSERT_EQ(taken[id], k);
        }
    }
    for (const Named& o : g.outputs()) ASSERT_FALSE(gone[o.id]);
    const Counts n = counts(g);
    ASSERT_LE(fma_slots(g), n.multiplications + n.additions);
    ASSERT_GE(fma_slots(g), n.additions);
  }
  EXPECT_GT(fused, 100);
}

}  // namespace
}  // namespace parid::test
