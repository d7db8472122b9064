#include "graph/depth.hpp"

#include <gtest/gtest.h>

#include "graph/expr.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct DepthTest : testing::Test {
  Graph g;
  Expr x = input(g, "x"), y = input(g, "y");

  void expect(const Expr& e, const Depth& wanted) {
    output(g, "r" + std::to_string(g.outputs().size()), e);
    EXPECT_EQ(depth_per_output(g).back(), wanted);
  }
};

TEST_F(DepthTest, CountsTheLongestPath) {
  expect(x, {});
  expect(Expr(3.0), {});
  expect(x * y, {.multiplications = 1});
  expect(x * y + x, {.multiplications = 1, .additions = 1});
  expect(((x + y) + x) + y, {.additions = 3});
  expect((x + y) + (x - y), {.additions = 2});
}
TEST_F(DepthTest, SignsSinesAndChoicesAreFree) {
  expect(-x, {});
  expect(sin_cos(x * y).sin, {.multiplications = 1});
  expect(atan2(x, y), {});
  expect(select(x + y < x, abs(x), y * y), {.multiplications = 1});
}
TEST_F(DepthTest, DivisionsAndRootsAreOneEach) {
  expect(sqrt(x / y) * x, {.multiplications = 1, .divisions = 1, .square_roots = 1});
}
TEST_F(DepthTest, OfEqualPathsTheOneWithMoreMultiplications) {
  expect((x + y + x) + (x * y * x), {.multiplications = 2, .additions = 1});
  expect((x * y * x) + (x + y + x), {.multiplications = 2, .additions = 1});
}
TEST_F(DepthTest, OfAGraphIsThatOfItsDeepestOutput) {
  output(g, "shallow", x * y);
  output(g, "deep", x + y + x);
  EXPECT_EQ(depth(g), (Depth{.additions = 2}));
  EXPECT_EQ(depth(g).total(), 2);
  EXPECT_EQ(depth(Graph()), Depth());
}

TEST_F(DepthTest, WeightsDecideWhichPathIsLongest) {
  output(g, "sums", x + y + x + y);
  output(g, "angle", atan2(sin_cos(x).sin, x / y));
  EXPECT_EQ(depth(g, {}), (Depth{.additions = 3}));
  EXPECT_EQ(depth(g, {}).time({}), 3);
  const OperationWeights slow{.sine = 5, .arctangent = 7}, slower{.divide = 6, .sine = 5};
  EXPECT_EQ(depth(g, slow), (Depth{.sines = 1, .arc_tangents = 1}));
  EXPECT_EQ(depth(g, slow).total(), 2);
  EXPECT_EQ(depth(g, slow).time(slow), 12);
  EXPECT_EQ(depth(g, slower), (Depth{.divisions = 1, .arc_tangents = 1}));
  EXPECT_EQ(depth(g, slower).time(slower), 7);
  EXPECT_EQ(depth(g, arithmetic_alone), depth(g));
  EXPECT_EQ(total(counts(g), slow), 3 + 1 + 5 + 7);
}

TEST_F(DepthTest, WidthIsWhatStartsAtEachStep) {
  output(g, "dot", x * x + y * y);
  output(g, "late", -(x + y) * x);
  EXPECT_EQ(width(g), (std::vector<long>{3, 2}));  // two products and a sum; a sum and a product
  EXPECT_TRUE(width(Graph()).empty());
}

}  // namespace
}  // namespace parid::test
