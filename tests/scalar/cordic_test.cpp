// CORDIC boxes against the mathematical library: bounds that hold over the whole range, not at
// samples chosen to be kind.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <string>

#include "scalar/cordic_functions.hpp"
#include "scalar/quad.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Errors = std::map<std::string, double>;  // the largest of each function

struct Random {
  std::mt19937_64 engine{7};
  double in(double a, double b) { return std::uniform_real_distribution<>(a, b)(engine); }
  // With all the bits that a long word can hold.
  Quad fine(double a, double b) { return Quad(in(a, b)) + Quad(in(-1, 1)) * Quad(1e-16); }
};

// The functions, by the names of docs/hardware.md. `in` rounds to a number of the box, `out`
// converts back; errors are relative to exact values on Quad.
template <class A>
Errors measured(const Cordic<A>& box, typename A::Number one,
                const std::function<typename A::Number(Quad)>& in,
                const std::function<Quad(typename A::Number)>& out, int samples) {
  using N = typename A::Number;
  Random random;
  auto draw = [&](double a, double b) { return in(random.fine(a, b)); };
  const CordicFunctions<A> f{box, one};
  Errors e;
  auto note = [&](const char* function, N got, Quad right) {
    double& worst = e[function];
    worst = std::max(worst, static_cast<double>(abs(out(got) - right)));
  };
  const Quad turn = atan2(Quad(0), Quad(-1)) * Quad(2);
  auto note_angle = [&](const char* function, N got, Quad right) {  // π and −π are the same
    const Quad apart = out(got) - right;
    note(function, got, Quad(4) < apart ? right + turn : apart < Quad(-4) ? right - turn : right);
  };
  auto other_leg = [](Quad x) { return sqrt((Quad(1) - x) * (Quad(1) + x)); };
  for (int k = 0; k < samples; ++k) {
    const N x = draw(-1, 1), y = draw(-1, 1), z = draw(-3.1, 3.1);
    const Quad X = out(x), Y = out(y);
    const auto [S, C] = sin_cos(out(z));
    const auto r = f.rotate(x, y, z);
    note("rotation", r.x, X * C + Y * S);
    note("rotation", r.y, Y * C - X * S);
    note("sin z, cos z", f.sin(z), S);
    note("sin z, cos z", f.cos(z), C);
    note_angle("atan2(y, x)", f.atan2(y, x), atan2(Y, X));
    note("√(x² + y²)", f.magnitude(x, y), sqrt(X * X + Y * Y));
    note("y + x z", f.multiply_add(x, z, y), Y + X * out(z));
    note("asin x, acos x", f.asin(x), atan2(X, other_leg(X)));
    note_angle("asin x, acos x", f.acos(x), atan2(other_leg(X), X));
    const N t = draw(-1.2, 1.2);
    const auto [St, Ct] = sin_cos(out(t));
    note("tan z", f.tan(t), St / Ct);
    const N d = draw(0.2, 1), q = in(out(d) * out(draw(-3, 3)));
    note("y / x", f.divide(q, d), out(q) / out(d));
    const N big = draw(0.1, 2), small = in(out(big) * out(draw(-1, 1)));
    note("√(x² − y²)", f.root_of_difference(big, small),
         sqrt((out(big) - out(small)) * (out(big) + out(small))));
    const N a = draw(-0.9, 0.9);
    note("atanh x", f.atanh(a), log((Quad(1) + out(a)) / (Quad(1) - out(a))) * Quad(0.5));
    const N w = draw(0.05, 3);
    note("ln w", f.log(w), log(out(w)));
    note("√w", f.sqrt(w, in(0.25)), sqrt(out(w)));
    const N h = draw(-1.9, 1.9);
    const Quad up = exp(out(h)), down = Quad(1) / up;
    note("exp z", f.exp(h), up);
    note("sinh z, cosh z", f.sinh(h), (up - down) * Quad(0.5));
    note("sinh z, cosh z", f.cosh(h), (up + down) * Quad(0.5));
    note("tanh z", f.tanh(h), (up - down) / (up + down));
  }
  return e;
}

Errors in_words(FixedFormat w, int guard, Normalising n, int samples = 5000) {
  return measured<CordicFixed>(
      cordic_fixed(w, guard, n), w.raw(1), [w](Quad x) { return word_of(w, x); },
      [w](Raw r) { return Quad::of(w, r); }, samples);
}
Errors in_double(Normalising n) {
  return measured<CordicReal>(
      cordic_real(n), 1.0, [](Quad x) { return static_cast<double>(x); },
      [](double x) { return Quad(x); }, 5000);
}
const char* const one_passage[] = {"rotation", "atan2(y, x)", "√(x² + y²)", "y / x", "√(x² − y²)"};

// The rows of the page's table on functions: units of the last place, and the bound on double.
struct Bound {
  double ulps, real;
};
std::map<std::string, Bound> printed_bounds() {
  std::ifstream page("docs/hardware.md");
  std::map<std::string, Bound> bounds;
  const std::regex row("\\| (.+) \\| .+ \\| .+ \\| (.+) \\| (.+) \\|");
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (std::smatch m; inside && std::regex_match(line, m, row))
      bounds[m[1]] = {std::stod(m[2]), std::stod(m[3])};
    else if (inside && !line.starts_with("|--"))
      break;
    inside |= line.starts_with("| function |");
  }
  return bounds;
}

TEST(Cordic, FunctionsAreAsGoodAsThePageSays) {
  const auto bounds = printed_bounds();
  Errors words, real;  // the largest in units of the last place; on double
  for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
    for (const int bits : {8, 12, 16, 24, 32, 40, 48, 53, 64, 80, 96, 100}) {
      if (bits > Quad::bits - 12) continue;
      const FixedFormat w{bits, bits - 4};
      for (const auto& [function, worst] : in_words(w, 6, n, 1500))
        words[function] = std::max(words[function], worst / w.ulp());
    }
    for (const auto& [function, worst] : in_double(n))
      real[function] = std::max(real[function], worst);
  }
  EXPECT_EQ(words.size(), bounds.size());
  for (const auto& [function, worst] : words) {
    ASSERT_TRUE(bounds.contains(function)) << function;
    const Bound& b = bounds.at(function);
    EXPECT_LE(worst, b.ulps) << function;
    EXPECT_LE(real[function], b.real) << function;
    EXPECT_GE(worst, 0.5 * b.ulps) << function << ": the page says less than is so";
    EXPECT_GE(real[function], 0.2 * b.real) << function << ": the page says less than is so";
  }
}

TEST(Cordic, DoubleIsRightToTheLastBitsWhereverItsOperandsLie) {
  for (const Normalising n : {Normalising::after, Normalising::interleaved})
    for (const auto& [function, worst] : in_double(n)) EXPECT_LT(worst, 1e-14) << function;
  const auto box = cordic_real();
  const CordicFunctions<CordicReal> f{box, 1.0};
  std::mt19937_64 random(3);
  auto draw = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  for (int k = 0; k < 1000; ++k) {
    const double z = draw(-30, 30), big = std::exp2(draw(-200, 200)), x = draw(-1, 1) * big,
                 y = draw(-1, 1) * big;
    EXPECT_NEAR(f.sin(z), std::sin(z), 1e-14);
    EXPECT_NEAR(f.atan2(y, x), std::atan2(y, x), 1e-14);
    EXPECT_NEAR(f.magnitude(x, y) / std::hypot(x, y), 1, 1e-14);
    EXPECT_NEAR(f.exp(z) / std::exp(z), 1, 1e-13);
    const double near_one = 1 - std::exp2(draw(-50, -1));  // far outside what the turns cover
    EXPECT_NEAR(f.root_of_difference(1, near_one) / std::sqrt((1 - near_one) * (1 + near_one)), 1,
                1e-14);
    EXPECT_NEAR(f.tan(z * 0.04), std::tan(z * 0.04), 1e-13);
    EXPECT_NEAR(f.tanh(z), std::tanh(z), 1e-14);
    const double t = draw(-1, 1);
    EXPECT_NEAR(f.asin(t), std::asin(t), 1e-14);
    EXPECT_NEAR(f.acos(t), std::acos(t), 1e-14);
    EXPECT_NEAR(f.atanh(t), std::atanh(t), 1e-14 / (1 - std::abs(t)));
    const double w = std::exp2(draw(-10, 30));
    EXPECT_NEAR(f.sqrt(w, 0.25) / std::sqrt(w), 1, 1e-12);  // w ± ¼ lose bits of what is tiny
  }
}

TEST(Cordic, GuardBitsKeepWordsRight) {
  for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
    const FixedFormat w{24, 20};
    const Errors five = in_words(w, 5, n), none = in_words(w, 0, n);
    for (const char* function : one_passage)
      EXPECT_LT(five.at(function), 1.5 * w.ulp()) << function;
    EXPECT_GT(none.at("rotation"), 3 * w.ulp());  // what guard bits are for
  }
}

// From the shortest to the longest. Where Quad is short of bits, so is the test.
TEST(Cordic, WordsOfAnyLengthAreRightToAnUlpAndAHalf) {
  for (const int bits : {shortest_word, 7, 8, 10, 12, 16, 24, 32, 40, 48, 53, 56, 63, 64, 65, 80,
                         96, 99, longest_word})
    for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
      const FixedFormat w{bits, bits - 4};
      const Errors e = in_words(w, bits % 2 ? longest_guard : 6, n, 500);
      for (const char* function : one_passage)
        EXPECT_LT(e.at(function), 1.5 * w.ulp() + std::ldexp(8.0, -Quad::bits))
            << function << ", " << bits;
    }
}

TEST(Cordic, RootsConvergeNextToTheEdge) {
  const FixedFormat w{24, 20};
  const auto box = cordic_fixed(w);
  for (int back = 1; back < 2000; ++back) {
    const Raw x = w.raw(1), y = x - back;
    const double right = std::sqrt((w.value(x) - w.value(y)) * (w.value(x) + w.value(y)));
    EXPECT_NEAR(w.value(box(Box::hype2, x, y, 0).x), right, 1.5 * w.ulp());
  }
  EXPECT_EQ(box(Box::hype2, w.raw(1), w.raw(1), 0).x, 0);  // and beyond it, nothing
  EXPECT_EQ(box(Box::hype2, w.raw(1), w.raw(2), 0).x, 0);
}

TEST(Cordic, EveryDirectionHasItsAngle) {
  const FixedFormat w{24, 20};
  const auto box = cordic_fixed(w);
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0}) {
      const auto v = box(Box::circ2, w.raw(x), w.raw(-y), 0);
      const double right = std::atan2(y, x), got = w.value(v.z);
      EXPECT_NEAR(std::cos(got - right), 1, 1e-10);
      EXPECT_NEAR(w.value(v.x), std::hypot(x, y), 1.5 * w.ulp());
    }
  // A vector of few bits has an angle as exact as a long one.
  EXPECT_NEAR(w.value(box(Box::circ2, 3, -4, 0).z), std::atan2(4, 3), 1.5 * w.ulp());
}

TEST(Cordic, WhatDoesNotFitIsHeldAtTheLargestNumber) {
  const FixedFormat w{24, 20};
  const auto box = cordic_fixed(w);
  EXPECT_EQ(box(Box::lin1, w.raw(7), 0, w.raw(7)).y, w.largest());
  EXPECT_EQ(box(Box::lin1, w.raw(7), 0, w.raw(-7)).y, -w.largest() - 1);
  EXPECT_EQ(box(Box::lin2, 1, w.raw(-7), 0).z, w.largest());
}

TEST(Cordic, GrowthIsTakenBackByTheFactorsOfThePaper) {
  const auto shifts = cordic_shifts(Box::circ1, 24);
  const auto steps = cordic_scale(Box::circ1, shifts, 24);
  ASSERT_GE(steps.size(), 5u);
  const int expected[] = {-1, 2, -5, 8, -10, 15};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(steps[k].sign * steps[k].shift, expected[k]);
  EXPECT_EQ(cordic_shifts(Box::hype2, 15),
            (std::vector<int>{1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14}));
}

TEST(Fixed, IsAScalarWhoseErrorIsItsLastBit) {
  using F = Fixed<30>;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<> draw(-3, 3);
  const double ulp = F::format().ulp();
  for (int k = 0; k < 2000; ++k) {
    const F a(draw(random)), b(draw(random));
    const double x = a.value(), y = b.value();
    EXPECT_EQ((a + b).value(), x + y);
    EXPECT_EQ((a - b).value(), x - y);
    EXPECT_NEAR((a * b).value(), x * y, 0.5001 * ulp);
    const F far = b < F(0.0) ? b - F(1.0) : b + F(1.0);
    EXPECT_NEAR((a / far).value(), x / far.value(), 1.001 * ulp);
    EXPECT_NEAR(atan2(a, b).value(), std::atan2(x, y), 2 * ulp);
    EXPECT_NEAR(sin_cos(a).sin.value(), std::sin(x), 2 * ulp);
    EXPECT_NEAR(sin_cos(a).cos.value(), std::cos(x), 2 * ulp);
    EXPECT_NEAR(sqrt(abs(a)).value(), std::sqrt(std::abs(x)), 3 * ulp);
  }
}

}  // namespace
}  // namespace parid::test
