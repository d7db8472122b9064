#include "graph/text.hpp"

#include <gtest/gtest.h>

#include "graph/expr.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Text, OneLinePerOperation) {
  Graph g;
  const Expr q1 = input(g, "q1"), q2 = input(g, "q2");
  const auto [s, c] = sin_cos(q1 + q2);
  output(g, "x", Expr(0.25) * c);
  output(g, "y", Expr(0.1) + Expr(-1e-20) * s);
  output(g, "same", q1);
  output(g, "one", Expr(1.0));
  EXPECT_EQ(text(g),
            "input q1 q2\n"
            "t1 = add q1 q2\n"
            "t2 = sin t1\n"
            "t3 = cos t1\n"
            "t4 = mul 0.25 t3\n"
            "t5 = mul -1e-20 t2\n"
            "t6 = add 0.1 t5\n"
            "output x = t4\n"
            "output y = t6\n"
            "output same = q1\n"
            "output one = 1\n");
}

TEST(Text, OfNothingIsNothing) { EXPECT_EQ(text(Graph()), ""); }

}  // namespace
}  // namespace parid::test
