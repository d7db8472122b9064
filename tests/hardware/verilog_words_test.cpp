// Verilog of machines with a format per signal, against their model, bit for bit, under Verilator.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/expr.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "tests/full.hpp"
#include "tests/hardware/benches.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

void expect_pass(Benches& b) {
  const Said lint = b.lint(), said = b.run();
  EXPECT_EQ(lint.code, 0) << lint.text;
  for (const std::string& name : b.names())
    EXPECT_NE(said.text.find("PASS " + name + ":"), std::string::npos) << said.text;
}

FixedGraph with_target(const Robot& robot, double target, std::string method = "specialized") {
  return fixed_program(robot, Quantity::inverse_dynamics, {}, {target, 100}, method);
}

TEST(VerilogWords, FormatsPerSignalEqualTheModelBitForBit) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  const FixedGraph planar = with_target(Robot::load("planar3"), 1e-3),
                   puma = with_target(Robot::load("puma560"), 1e-6);
  b.add("planar3_unrolled", unrolled(planar), 3000);
  b.add("planar3_on_2", shared_units(planar, 2), 3000);
  b.add("puma560_unrolled", unrolled(puma), 3000);
  b.add("puma560_on_8", shared_units(puma, 8), 3000);
  // A robot that is not built in, and a formulation as its source states it.
  Rng rng(7);
  const Robot random(random_tree(rng, 4, {.prismatic = 0.5, .tips = true}));
  b.add("random_on_3", shared_units(with_target(random, 1e-9), 3), 1000);
  b.add("lathrop", shared_units(with_target(Robot::load("planar2"), 1e-4, "lathrop"), 5), 1000);
  expect_pass(b);
}

FixedGraph in_words(const Robot& robot, Quantity which, int word, const std::string& link = {}) {
  const Graph g = traced_program(robot, which, {.link = link});
  return fixed_graph(g, input_ranges(robot, g), word);
}
FixedGraph in_floats(const Robot& robot, Quantity which, FloatFormat f) {
  const Graph g = traced_program(robot, which);
  return float_graph(g, input_ranges(robot, g), f);
}

TEST(VerilogWords, AnyQuantityEqualsTheModelBitForBit) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  const Robot planar = Robot::load("planar2"), ur5 = Robot::load("ur5");
  const FixedGraph forward = in_words(planar, Quantity::forward_dynamics, 36);
  b.add("forward_unrolled", unrolled(forward), 3000);
  b.add("forward_on_2", shared_units(forward, 2), 3000);
  b.add("forward_gradient_on_4", shared_units(in_words(planar, Quantity::forward_gradient, 40), 4),
        1000);
  b.add("inverse_gradient", unrolled(in_words(planar, Quantity::inverse_gradient, 30)), 3000);
  b.add("jacobian_on_3", shared_units(in_words(ur5, Quantity::jacobian, 24), 3), 1000);
  b.add("mass_on_6", shared_units(in_words(ur5, Quantity::mass_matrix, 28), 6), 1000);
  if (full_tests()) {
    Rng rng(9);
    const Robot random(random_chain(rng, 3, {.prismatic = 0.3, .tips = true}));
    b.add("random_forward_on_5", shared_units(in_words(random, Quantity::forward_dynamics, 48), 5),
          1000);
  }
  std::string method;
  b.add("forward_to_a_target",
        shared_units(fixed_program(planar, Quantity::forward_dynamics, {}, {1e-5, 90}, method), 3),
        1000);
  expect_pass(b);
}

TEST(VerilogWords, FloatingPointEqualsTheModelBitForBit) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  const Robot planar = Robot::load("planar2"), three = Robot::load("planar3");
  b.add("float_inverse", unrolled(in_floats(three, Quantity::inverse_dynamics, {8, 23})), 3000);
  b.add("float_forward", unrolled(in_floats(planar, Quantity::forward_dynamics, {6, 12})), 3000);
  b.add("float_forward_on_2",
        shared_units(in_floats(planar, Quantity::forward_dynamics, {11, 52}), 2), 2000);
  b.add("float_small", unrolled(in_floats(planar, Quantity::inverse_dynamics, {5, 4})), 3000);
  if (full_tests()) {  // minutes of compiling
    b.add("float_large_on_3",
          shared_units(in_floats(three, Quantity::inverse_dynamics, {13, 59}), 3), 1000);
    Rng rng(10);
    const Robot random(random_tree(rng, 4, {.prismatic = 0.3, .tips = true}));
    b.add("float_random_on_6",
          shared_units(in_floats(random, Quantity::forward_dynamics, {8, 30}), 6), 1000);
  }
  expect_pass(b);
}

// Operations on any words at all: ends, zeros, equal magnitudes, neighbouring exponents.
TEST(VerilogWords, FloatingPointUnitsEqualTheModelForAnyWords) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  for (const FloatFormat f : {FloatFormat{3, 4}, {8, 23}, {5, 33}}) {
    Graph g;
    const Expr x = input(g, "x"), y = input(g, "y"), q = input(g, "q");
    output(g, "sum", x + y);
    output(g, "difference", x - y);
    output(g, "product", x * y);
    output(g, "quotient", x / y);
    output(g, "negative", -x);
    output(g, "sine", sin_cos(q).sin);
    output(g, "cosine", sin_cos(q).cos);
    FixedGraph words = float_graph(g, std::vector<Range>{{-1, 1}, {1, 2}, {-3, 3}}, f);
    b.add_any(fmt::format("units_{}_{}", f.exponent, f.mantissa), unrolled(words), 10'000);
  }
  expect_pass(b);
}

}  // namespace
}  // namespace parid::test
