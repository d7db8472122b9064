// Floating-point units in C++: IEEE 754 where that has the same formats, and the nearest number of
// the exact result otherwise.

#include "hardware/pipeline/floating.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "graph/evaluate.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "parid/error.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

template <class Real, class Bits>
void expect_ieee(FloatFormat f, int range) {
  std::mt19937_64 random(1);
  auto any = [&] {
    const double m = std::uniform_real_distribution<>(-2, 2)(random);
    return static_cast<Real>(std::ldexp(m, static_cast<int>(random() % (2 * range)) - range));
  };
  auto word = [](Real x) { return static_cast<Raw>(std::bit_cast<Bits>(x)); };
  for (int k = 0; k < 50'000; ++k) {
    const Real a = any(), b = k % 3 == 0 ? a * static_cast<Real>(1 + 1e-7 * (k % 5)) : any();
    EXPECT_EQ(f.raw(Quad(static_cast<double>(a))), word(a));
    EXPECT_EQ(static_cast<double>(f.value(word(a))), static_cast<double>(a));
    EXPECT_EQ(float_product(f, word(a), word(b)), word(a * b)) << a << " " << b;
    EXPECT_EQ(float_quotient(f, word(a), word(b)), word(a / b)) << a << " " << b;
    if (a + b != 0) {
      EXPECT_EQ(float_sum(f, word(a), word(b), false), word(a + b)) << a << " " << b;
    }
    if (a != b) {
      EXPECT_EQ(float_sum(f, word(a), word(b), true), word(a - b)) << a << " " << b;
    }
  }
}

TEST(Floating, EqualsIeeeWithinTheNormalRange) {
  expect_ieee<float, std::uint32_t>({8, 23}, 30);
  expect_ieee<double, std::uint64_t>({11, 52}, 200);
}

TEST(Floating, GivesTheNearestNumberInAnyFormat) {
  std::mt19937_64 random(2);
  for (const FloatFormat f : {FloatFormat{3, 4}, {5, 10}, {7, 17}, {13, 59}}) {
    for (int k = 0; k < 5'000; ++k) {
      const auto any = [&] {
        const RawBits bits = RawBits{random()} << 64 | random();
        return f.raw(f.value(static_cast<Raw>(bits >> (128 - f.word()))));
      };
      const Raw a = any(), b = any();
      const Quad x = f.value(a), y = f.value(b);
      // Quad rounds too, but no closer than the last of 113 bits to a half of ours.
      if (f.mantissa < 50) {
        EXPECT_EQ(float_product(f, a, b), f.raw(x * y));
        if (!(y == Quad(0))) {
          EXPECT_EQ(float_quotient(f, a, b), f.raw(x / y));
        }
      }
      if (f.exponent < 7) {
        EXPECT_EQ(float_sum(f, a, b, k % 2 == 0), f.raw(k % 2 ? x + y : x - y));
      }
      EXPECT_EQ(float_negative(f, float_negative(f, a)), a);
    }
  }
}

TEST(Floating, EndsAreHeld) {
  const FloatFormat f{4, 6};
  const Raw most = f.raw(Quad(f.largest())), one = f.raw(Quad(1)),
            least = f.raw(Quad(f.smallest()));
  EXPECT_EQ(float_product(f, most, most), most);
  EXPECT_EQ(float_sum(f, most, most, false), most);
  EXPECT_EQ(float_quotient(f, one, 0), most);
  EXPECT_EQ(float_quotient(f, 0, 0), 0);
  EXPECT_EQ(float_product(f, least, least), 0);
  EXPECT_EQ(float_sum(f, one, one, true), 0);
  EXPECT_THROW(float_format(2, 20), Error);
  EXPECT_THROW(float_format(8, 60), Error);
}

TEST(Floating, ConvertsToFixedPointAndBack) {
  const FloatFormat f{8, 20};
  const FixedFormat word{26, 22};
  std::mt19937_64 random(3);
  for (int k = 0; k < 20'000; ++k) {
    const double x = std::uniform_real_distribution<>(-7.9, 7.9)(random) * std::pow(2, -(k % 30));
    const Raw a = f.raw(Quad(x));
    const double value = static_cast<double>(f.value(a));
    EXPECT_NEAR(word.value(fixed_of_float(f, a, word)), value, word.ulp() / 2);
    const Raw w = word.raw(x);
    EXPECT_EQ(float_of_fixed(word, w, f), f.raw(Quad(word.value(w))));
  }
  EXPECT_EQ(fixed_of_float(f, f.raw(Quad(1000)), word), word.largest());
}

// Errors of inverse dynamics stay within their bound; more bits, less error.
TEST(Floating, TorquesAreWithinTheBound) {
  for (const char* name : {"planar3", "puma560", "panda"}) {
    const Robot robot = Robot::load(name);
    const Graph g = traced_program(robot, Quantity::inverse_dynamics);
    double last = 1;
    for (const FloatFormat f : {FloatFormat{8, 16}, {8, 23}, {10, 40}}) {
      FixedGraph words = float_graph(g, input_ranges(robot, g), f);
      words.full_scale = full_scales(g, input_ranges(robot, g));
      const FixedError e = fixed_error(words, 300);
      const FixedError corners = fixed_error(words, corner_samples(words, 300, 2));
      EXPECT_TRUE(words.proven);
      EXPECT_LE(e.measured, e.bound) << name;
      EXPECT_LE(corners.measured, e.bound) << name;
      EXPECT_LT(e.measured, last / 30) << name;
      last = e.measured;
    }
  }
  const Robot robot = Robot::load("puma560");
  const Graph g = traced_program(robot, Quantity::inverse_dynamics);
  EXPECT_THROW(float_graph(g, input_ranges(robot, g), {3, 20}), Error);  // torques of 100 N m
}

// The largest output of each array. Fixed-point words of one length resolve the values from which
// an array is computed, and so its largest entries; of an entry that is 1e-5 of those, such as the
// last row of a Coriolis matrix, that is a small part of what the words resolve.
std::vector<double> array_scales(const Graph& g, std::span<const Range> in) {
  std::vector<double> scales = full_scales(g, in);
  const auto array = [&](std::size_t k) {
    const std::string& output = g.outputs()[k].name;
    return output.substr(0, output.find_first_of("0123456789"));
  };
  std::map<std::string, double> largest;
  for (std::size_t k = 0; k < scales.size(); ++k)
    largest[array(k)] = std::max(largest[array(k)], scales[k]);
  for (std::size_t k = 0; k < scales.size(); ++k) scales[k] = largest[array(k)];
  return scales;
}

// Where a program divides nothing is proven, in either kind of words, and the error is small: of
// fixed-point words beside the array's largest value, of floating-point words beside the output's.
TEST(AnyQuantity, IsComputedOnUnits) {
  Rng rng(12);
  const Robot random(random_chain(rng, 3, {.prismatic = 0.3, .tips = true}));
  for (const Robot& robot : {Robot::load("planar2"), Robot::load("ur5"), random})
    for (const Quantity which : pipeline_quantities()) {
      if (which == Quantity::inverse_kinematics) continue;
      if (robot.nv() > 3 &&
          (which == Quantity::forward_gradient || which == Quantity::inverse_gradient))
        continue;  // large; planar2 has them
      const Graph g = traced_program(robot, which);
      const auto in = input_ranges(robot, g);
      FixedGraph words = fixed_graph(g, in, 48);
      words.full_scale = array_scales(g, in);
      const FixedError e = fixed_error(words, 30), f = fixed_error(float_graph(g, in, {9, 40}), 30);
      EXPECT_EQ(words.proven, has_proof(g)) << name(which);
      EXPECT_EQ(std::isfinite(e.bound), words.proven) << name(which);
      EXPECT_LT(e.measured, words.proven ? 1e-9 : 1e-4) << robot.name() << " " << name(which);
      EXPECT_LT(f.measured, words.proven ? 1e-8 : 1e-4) << robot.name() << " " << name(which);
    }
}

// The sixth column of the UR5's Jacobian has entries that are zero but for rounding: a target holds
// for them beside the largest entry.
TEST(AnyQuantity, EntriesThatAreZeroHaveTheScaleOfTheirArray) {
  const Robot robot = Robot::load("ur5");
  const Graph g = traced_program(robot, Quantity::jacobian_local);
  const auto in = input_ranges(robot, g);
  const std::vector<double> scales = full_scales(g, in);
  const double most = *std::max_element(scales.begin(), scales.end());
  std::vector<double> bare(scales.size()), out(scales.size()), scratch(g.size());
  for (const auto& x : random_inputs(in, 2000, 1)) {
    evaluate<double>(g, x, out, scratch);
    for (std::size_t k = 0; k < out.size(); ++k) bare[k] = std::max(bare[k], std::abs(out[k]));
  }
  int zero = 0;
  for (std::size_t k = 0; k < scales.size(); ++k) {
    const bool none = bare[k] > 0 && bare[k] < 1e-6 * most;
    EXPECT_EQ(scales[k], none ? most : bare[k]) << g.outputs()[k].name;
    zero += none ? 1 : 0;
  }
  EXPECT_GT(zero, 0);
  const FixedGraph f = fixed_graph(g, in, ErrorTarget{1e-6, 64});
  const FixedError e = fixed_error(f, 300);
  EXPECT_LT(e.measured, e.bound);
  EXPECT_LE(e.bound, 1e-6);
}

TEST(AnyQuantity, ForwardDynamicsMeetsATarget) {
  std::string method;
  const FixedGraph f =
      fixed_program(Robot::load("puma560"), Quantity::forward_dynamics, {}, {1e-5, 90}, method);
  EXPECT_FALSE(f.proven);
  EXPECT_EQ(method, "specialized");
  EXPECT_LT(fixed_error(f, 300).measured, 1e-5);
}

}  // namespace
}  // namespace parid::test
