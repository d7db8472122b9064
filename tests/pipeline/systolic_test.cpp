// Lathrop's arrays: the processors of his Table 6, and streams of states against Newton-Euler.

#include "parid/pipeline/systolic.hpp"

#include <gtest/gtest.h>

#include "parid/generate/array_hardware.hpp"
#include "parid/pipeline/vector_processor.hpp"

namespace parid {
namespace {

TEST(Systolic, NodesTakeTheProcessorsOfTable6) {
  const NodeProcessors linear = node_processors(ArrayKind::linear),
                       log = node_processors(ArrayKind::log);
  EXPECT_EQ(linear.backward, 22);
  EXPECT_EQ(linear.forward, 8);
  EXPECT_EQ(log.backward, 36);
  EXPECT_EQ(log.forward, 13);
  const ArrayProcessors a = array_processors(ArrayKind::linear, 6),
                        b = array_processors(ArrayKind::log, 6);
  EXPECT_EQ(a.systolic.backward, 132);
  EXPECT_EQ(a.systolic.forward, 48);
  EXPECT_EQ(a.folded.backward, 22);
  EXPECT_EQ(b.nodes, 13);
  EXPECT_EQ(b.widest, 3);
  EXPECT_EQ(b.folded.backward, 108);
  EXPECT_EQ(b.folded.forward, 39);
  EXPECT_EQ(b.systolic.backward, 468);
  EXPECT_EQ(b.systolic.forward, 169);
}

TEST(Systolic, StreamsOfStatesGiveNewtonEulersTorques) {
  for (const char* name : {"puma560", "chain:5", "chain:9"}) {
    const Robot robot = Robot::load(name);
    const int n = robot.nv();
    for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log}) {
      const SystolicArray a = systolic_array(kind, n);
      EXPECT_EQ(a.interval(), 4);
      EXPECT_LT(stream_error(robot, a, a.schedule, a.interval()), 1e-12) << name;
    }
    const SystolicArray line = systolic_array(ArrayKind::linear, n);
    const FoldedArray f = folded(line);
    check(line, f);
    EXPECT_EQ(f.interval, 4 * n);
    EXPECT_EQ(f.backward_processors, 22);
    EXPECT_EQ(f.forward_processors, 8);
    EXPECT_LT(stream_error(robot, line, f.schedule, f.interval), 1e-12) << name;
  }
  EXPECT_ANY_THROW(check_array_scope(Robot::load("stanford")));
}

TEST(VectorProcessor, TakesTheStepsOfThePaperAndNeverMoreThanTwoBusses) {
  const VectorClocks clocks;
  const FixedFormat f{32, 20};
  VectorProcessor p(f);
  for (const VectorOp op :
       {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add, VectorOp::scale, VectorOp::dot}) {
    const VectorProgram& program = vector_program(op);
    EXPECT_EQ(static_cast<int>(program.steps.size()), clocks.of(op));
    for (const VectorStep& s : program.steps) EXPECT_LE(s.busses, 2);
    std::array<Raw, 9> a;
    for (int k = 0; k < 9; ++k) a[k] = f.raw(0.3 * k - 1);
    const std::array<Raw, 3> b{f.raw(0.5), f.raw(-1.25), f.raw(2)};
    auto x = [&](int k) { return f.value(a[k]); };
    auto y = [&](int k) { return f.value(b[k]); };
    const auto got = p.run(op, a, b);
    for (int k = 0; k < 3; ++k) {
      const int n = (k + 1) % 3, m = (k + 2) % 3, row = op == VectorOp::matrix_vector ? 3 * k : 0;
      const double right = op == VectorOp::cross ? x(n) * y(m) - x(m) * y(n)
                           : op == VectorOp::add ? x(k) + y(k)
                           : op == VectorOp::scale
                               ? x(0) * y(k)
                               : x(row) * y(0) + x(row + 1) * y(1) + x(row + 2) * y(2);
      EXPECT_NEAR(f.value(got[k]), right, 2 * f.ulp());
    }
  }
}

// Where a multiplication outweighs all additions, the longest way counts the one and then the other. The
// paper charges a dot product with the axis, 1 multiplication and 2 additions; here the axis is z, and
// the torque a component: 11 m + 28 a, his Eq. (2), less that.
TEST(Systolic, DepthGrowsWithTheLogarithm) {
  auto depth = [](ArrayKind kind, int n) {
    const int many = 1000;
    const int m = systolic_array(kind, n, {many, 1}).schedule.latency;
    return std::pair(m / many, m % many);
  };
  EXPECT_EQ(depth(ArrayKind::log, 6), std::pair(10, 26));
  EXPECT_EQ(depth(ArrayKind::linear, 6), std::pair(14, 37));
  const auto l7 = depth(ArrayKind::linear, 7), l8 = depth(ArrayKind::linear, 8);
  EXPECT_EQ(l8.first - l7.first, 2);  // one multiplication and three additions, out and back
  EXPECT_EQ(l8.second - l7.second, 6);
  const auto g9 = depth(ArrayKind::log, 9), g16 = depth(ArrayKind::log, 16);
  EXPECT_EQ(g9, g16);
}

}  // namespace
}  // namespace parid
