// Formats per signal: bounds that hold for every value, and targets that are met.

#include "hardware/pipeline/word_lengths.hpp"

#include <gtest/gtest.h>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "scalar/quad.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

FixedGraph met(const char* name, double target, std::string method = "") {
  return fixed_program(Robot::load(name), Quantity::inverse_dynamics, {}, {target, 64}, method);
}

// Every value of these samples is in its range, and its word is off by at most its bound.
void expect_bounds(const FixedGraph& f, const std::vector<std::vector<Raw>>& samples) {
  const auto in = f.input_formats();
  std::vector<Quad> x, right(f.graph.size(), Quad(0)), out(f.graph.outputs().size(), Quad(0));
  int wrong = 0;
  for (const auto& words : samples) {
    x.clear();
    for (std::size_t k = 0; k < words.size(); ++k) x.push_back(Quad::of(in[k], words[k]));
    evaluate<Quad>(f.graph, x, out, right);
    const std::vector<Raw> got = evaluate_nodes(f, words);
    for (Id id = 0; id < f.graph.size(); ++id) {
      const double value = static_cast<double>(right[id]),
                   off = static_cast<double>(abs(Quad::of(f.format[id], got[id]) - right[id]));
      const bool holds = value >= f.range[id].low && value <= f.range[id].high &&
                         off <= f.error[id] + 1e-30;  // the error of Quad
      wrong += holds ? 0 : 1;
      if (!holds && wrong < 5) {
        ADD_FAILURE() << "node " << id << " " << row(f.graph[id].op).name << ": " << value
                      << " in [" << f.range[id].low << ", " << f.range[id].high << "], off by "
                      << off << " of " << f.error[id];
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

// A vector that is rotated about two axes twenty times is no longer than before.
TEST(SetBounds, RotationsKeepTheLengthOfAVector) {
  Graph g;
  std::vector<Expr> q;
  for (int k = 0; k < 20; ++k) q.push_back(input(g, "q" + std::to_string(k)));
  Expr x = input(g, "x"), y = input(g, "y"), z = input(g, "z");
  std::vector<Range> in(20, Range{-3, 3});
  in.insert(in.end(), {{-1, 1}, {-2, 2}, {-2, 2}});
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (int k = 0; k < 20; ++k) {
    const auto [sine, cosine] = sin_cos(q[k]);
    const Expr u = cosine * x - sine * y, v = sine * x + cosine * y;
    const Expr v2 = Expr(c) * v - Expr(s) * z, z2 = Expr(s) * v + Expr(c) * z;
    x = u;
    y = v2;
    z = z2;
  }
  output(g, "z", z);
  const SetBounds bounds(g, in);
  EXPECT_GE(bounds.ranges()[g.outputs()[0].id].size(), 3);
  // The first pair keeps its length √5 in both coordinates; z is unrelated to them before the first
  // rotation about the other axis.
  EXPECT_LE(bounds.ranges()[g.outputs()[0].id].size(), std::sqrt(5 + 5 + 4) + 1e-9);
  // Errors grow with the number of rotations, not exponentially: 40 times a few last bits.
  const FixedGraph f = fixed_graph(g, in, 32);
  EXPECT_LT(f.error[g.outputs()[0].id], 40 * 6 * std::ldexp(1.0, -28));
  expect_bounds(f, fixed_samples(f, 50, 2));
}

// Products with a common factor, sums of two vectors, and a matrix of numbers that is no rotation.
TEST(SetBounds, HoldForOtherCombinations) {
  Graph g;
  const Expr a = input(g, "a"), x = input(g, "x"), y = input(g, "y"), q = input(g, "q");
  const auto [s, c] = sin_cos(q);
  const Expr u = c * x - s * y, v = s * x + c * y;
  const Expr au = a * u, av = a * v;
  output(g, "o1", Expr(0.6) * au + Expr(0.8) * av);
  output(g, "o2", Expr(2.0) * u + Expr(3.0) * v + x);
  output(g, "o3", (au + x) * c - (av - y) * s);
  output(g, "o4", u * u + v * v);
  const std::vector<Range> in{{-2, 5}, {-1, 1}, {-1, 2}, {-3, 3}};
  const FixedGraph f = fixed_graph(g, in, 24);
  EXPECT_LT(f.range[g.outputs()[0].id].size(), 5 * std::sqrt(5) + 1e-9);
  expect_bounds(f, fixed_samples(f, 2000, 2));
  expect_bounds(f, corner_samples(f, 2000, 2));
}

// Chains and trees with frames anywhere, prismatic and fixed joints, tools and rotors.
TEST(SetBounds, HoldForEveryValueOfRandomRobots) {
  Rng rng(4);
  for (int number = 0; number < cases(3, 60); ++number) {
    const RandomRobot options{.prismatic = 0.3, .fixed = 0.2, .tips = number % 2 == 0};
    const int joints = 3 + number % 5;
    const Robot robot(number % 3 == 2 ? random_tree(rng, joints, options)
                                      : random_chain(rng, joints, options));
    const Graph g = traced_program(robot, Quantity::inverse_dynamics);
    const auto in = input_ranges(robot, g);
    const FixedGraph f = fixed_graph(g, in, 30), own = fixed_graph(g, in, ErrorTarget{1e-5, 100});
    for (const FixedGraph* one : {&f, &own}) {
      expect_bounds(*one, fixed_samples(*one, 30, 3));
      expect_bounds(*one, corner_samples(*one, 30, 4));
    }
  }
}

// What is asked of each: the bound meets the target, no sample passes the bound, and the bound is
// not far from the largest error measured. A full run tries a million samples each.
TEST(WordLengths, MeetTheTargetAndTheBoundIsNear) {
  struct Case {
    const char* robot;
    double target, ratio;
  };
  std::vector<Case> all;
  for (const char* robot : {"puma560", "panda", "ur5"})
    for (const double target : {1e-4, 1e-6, 1e-9}) all.push_back({robot, target, 20});
  for (const double target : {1e-4, 1e-6, 1e-9})
    if (full_tests() || target == 1e-6) all.push_back({"chain:12", target, 100});
  for (const auto& [robot, target, ratio] : all) {
    const FixedGraph f = met(robot, target, full_tests() ? "" : "newton_euler_link");
    FixedError e = fixed_error(f, cases(500, 500'000));
    const FixedError corners = fixed_error(f, corner_samples(f, cases(500, 500'000), 5));
    EXPECT_LE(e.bound, target) << robot;
    EXPECT_LE(e.inner_measured, e.inner_bound) << robot;
    EXPECT_LE(corners.inner_measured, e.inner_bound) << robot;
    const double measured = std::max(e.measured, corners.measured);
    EXPECT_LE(measured, e.bound) << robot;
    EXPECT_LE(e.bound, ratio * measured) << robot << " " << target;
    EXPECT_LE(word_counts(f).longest, 64) << robot;
  }
}

// Words of one length: 0.14 before bounds of vectors.
TEST(WordLengths, TheBoundOfALongChainIsUseful) {
  const Robot robot = Robot::load("chain:12");
  const Graph g = traced_program(robot, Quantity::inverse_dynamics,
                                 {.method = "newton_euler_link", .base_parameters = true});
  const FixedGraph f = fixed_graph(g, input_ranges(robot, g), 32);
  EXPECT_LT(fixed_error(f, 200).bound, 2e-4);
}

TEST(WordLengths, SignalsDifferAndAreShorterThanOneLengthForAll) {
  const FixedGraph f = met("puma560", 1e-6, "specialized");
  const WordCounts own = word_counts(f);
  EXPECT_LT(own.shortest, 10);
  const Graph& g = f.graph;
  std::vector<Range> in;
  for (const Named& i : g.inputs()) in.push_back(f.range[i.id]);
  // The shortest single length that meets the same target.
  int word = 12;
  FixedGraph one = fixed_graph(g, in, word);
  const auto worst = [&](const FixedGraph& x) {
    double most = 0;
    for (std::size_t k = 0; k < g.outputs().size(); ++k)
      most = std::max(most, x.output_error(k) / f.full_scale[k]);
    return most;
  };
  while (worst(one) > 1e-6) one = fixed_graph(g, in, ++word);
  EXPECT_LT(own.product_bits, product_bits(one));
}

TEST(WordLengths, AnImpossibleTargetIsRefusedWithTheRemedy) {
  try {
    std::string method;
    fixed_program(Robot::load("puma560"), Quantity::inverse_dynamics, {}, {1e-9, 24}, method);
    FAIL();
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("24 bits"), std::string::npos) << said;
    EXPECT_NE(said.find("floating-point"), std::string::npos) << said;
  }
}

// The chosen formats on units, clock by clock: arithmetic_test.cpp and verilog_words_test.cpp have
// the simulations; here, that the schedules are those of their words.
TEST(WordLengths, SchedulesHold) {
  const FixedGraph f = met("ur5", 1e-6, "specialized");
  check(unrolled(f));
  check(shared_units(f, 4));
}

TEST(TracedProgram, EveryFormulationGivesTheTorques) {
  const Robot robot = Robot::load("puma560");
  const Graph right = traced_program(robot, Quantity::inverse_dynamics);
  const auto in = random_inputs(input_ranges(robot, right), 3, 1);
  for (const std::string& method : program_methods()) {
    const Graph g = traced_program(robot, Quantity::inverse_dynamics, {.method = method});
    for (const auto& x : in) {
      const auto a = evaluate<double>(right, x), b = evaluate<double>(g, x);
      for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_NEAR(a[k], b[k], 1e-10 * (1 + std::abs(a[k]))) << method;
    }
  }
  EXPECT_THROW(traced_program(robot, Quantity::inverse_dynamics, {.method = "newton"}), Error);
  EXPECT_THROW(traced_program(robot, Quantity::mass_matrix, {.method = "uicker_kahn"}), Error);
}

}  // namespace
}  // namespace parid::test
