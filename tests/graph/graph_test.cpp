#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graph/expr.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Graph, EqualNodesAreOne) {
  Graph g;
  const Id x = g.input("x"), y = g.input("y");
  EXPECT_EQ(g.operation(Op::mul, x, y), g.operation(Op::mul, x, y));
  EXPECT_NE(g.operation(Op::mul, x, y), g.operation(Op::mul, y, x));
  EXPECT_EQ(g.constant(0.1), g.constant(0.1));
  EXPECT_NE(g.constant(0.0), g.constant(-0.0));
  EXPECT_EQ(g.input("x"), x);
  EXPECT_EQ(g.inputs().size(), 2u);
  g.check();
  EXPECT_EQ(g.constant(std::nan("")), g.constant(std::nan("")));
}

TEST(Graph, ConstantsKeepTheirBits) {
  Graph g;
  for (const double x : {0.1, -1e300, 5e-324, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(g[g.constant(x)].value(), x);
}

TEST(Graph, ManyNodesStayWhereTheyAre) {
  Graph g;
  const Id x = g.input("x");
  std::vector<Id> sum{x};
  for (int k = 0; k < 100'000; ++k) sum.push_back(g.operation(Op::add, sum.back(), x));
  for (int k = 0; k < 100'000; ++k) ASSERT_EQ(g.operation(Op::add, sum[k], x), sum[k + 1]);
  EXPECT_EQ(g.size(), 100'001u);
  g.check();
}

TEST(Graph, ManyUsersOfOneNodeAreFoundAsFast) {  // were it quadratic, this would take minutes
  Graph g;
  std::vector<Id> x;
  for (int k = 0; k < 100'000; ++k) x.push_back(g.constant(k));
  const Id y = g.input("y");
  std::vector<Id> product;
  for (const Id a : x) product.push_back(g.operation(Op::mul, a, y));
  for (std::size_t k = 0; k < x.size(); ++k) ASSERT_EQ(g.operation(Op::mul, x[k], y), product[k]);
}

TEST(Graph, FindsWithoutMaking) {
  Graph g;
  EXPECT_FALSE(g.find(Op::neg, 0));
  const Id x = g.input("x");
  EXPECT_FALSE(g.find(Op::neg, x));
  const Id minus = g.operation(Op::neg, x);
  EXPECT_EQ(g.find(Op::neg, x), minus);
  EXPECT_EQ(g.size(), 2u);
}

TEST(Graph, BeyondItsLimitItSaysSo) {
  Graph g(3);
  const Id x = g.input("x"), y = g.input("y"), sum = g.operation(Op::add, x, y);
  EXPECT_EQ(g.operation(Op::add, x, y), sum);  // it is there already
  try {
    g.operation(Op::mul, x, y);
    FAIL();
  } catch (const GraphTooLarge& e) {
    EXPECT_EQ(e.limit, 3u);
    EXPECT_STREQ(e.what(), "the graph needs more than 3 nodes; increase the limit");
  }
  EXPECT_EQ(g.size(), 3u);
  EXPECT_EQ(g.operation(Op::add, x, y), sum);
  g.check();
}

TEST(Graph, CountsWhatPapersCount) {
  Graph g;
  const Expr x = input(g, "x"), y = input(g, "y");
  const auto [s, c] = sin_cos(x);
  const Expr once = sin_cos(y).cos;
  output(g, "r", -(s * c) + once / sqrt(x - y) + abs(atan2(x, y)) + select(x < y, x * y, y));
  const Counts n = counts(g);
  EXPECT_EQ(n.multiplications, 2);
  EXPECT_EQ(n.additions, 4);
  EXPECT_EQ(n.divisions, 1);
  EXPECT_EQ(n.square_roots, 1);
  EXPECT_EQ(n.sin_cos, 2);
  EXPECT_EQ(n.atan2, 1);
  EXPECT_EQ(n.nodes, static_cast<long>(g.size()));
}

std::string complaint(const Graph& g) {
  try {
    g.check();
  } catch (const std::logic_error& e) {
    return e.what();
  }
  return "";
}

TEST(Graph, CheckFindsWhatPassesCannotBear) {
  {
    Graph g;
    const Id x = g.input("x");
    g.output("r", g.operation(Op::less, x, x));
    EXPECT_EQ(complaint(g), "graph: output 'r' is not a numeric node of this graph");
  }
  {
    Graph g;
    const Id x = g.input("x");
    g.operation(Op::select, x, x, x);
    EXPECT_EQ(complaint(g), "graph: node 1 (select) has a condition that is not a comparison");
  }
  {
    Graph g;
    const Id x = g.input("x");
    g.operation(Op::add, x, g.operation(Op::less, x, x));
    EXPECT_EQ(complaint(g), "graph: node 2 (add) uses a comparison as a number");
  }
  {
    Graph g;
    const Id x = g.input("x");
    g.output("r", x);
    g.output("r", x);
    EXPECT_EQ(complaint(g), "graph: two outputs are named 'r'");
  }
  {
    Graph g;
    const Id x = g.input("x");
    g.operation(Op::neg, x, g.input("y"));
    EXPECT_EQ(complaint(g), "graph: node 2 (neg) has too many operands");
  }
  {
    Graph g;
    g.constant(std::nan(""));
    EXPECT_EQ(complaint(g), "graph: node 0 (constant) is not a number");
  }
  {
    Graph g;
    g.output("", g.input("x"));
    EXPECT_EQ(complaint(g), "graph: an output has no name");
  }
  {
    Graph g;
    g.input("");
    EXPECT_EQ(complaint(g), "graph: an input has no name");
  }
  {
    Graph g;
    g.output("r", 7);
    EXPECT_EQ(complaint(g), "graph: output 'r' is not a numeric node of this graph");
  }
}

}  // namespace
}  // namespace parid::test
