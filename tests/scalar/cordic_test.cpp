// CORDIC boxes against the mathematical library: bounds that hold over the whole range, not at samples
// chosen to be kind.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "parid/scalar/cordic_functions.hpp"
#include "parid/scalar/fixed.hpp"

namespace parid {
namespace {

using Draw = std::function<double(double, double)>;

struct Errors {  // the largest of each box
  double rotation = 0, angle = 0, magnitude = 0, multiply_add = 0, divide = 0, root = 0, log = 0,
         exp = 0, sinh = 0;
};

// `in` rounds a double to a number of the box, `out` goes back; errors are against what went in.
template <class A>
Errors measured(const Cordic<A>& box, typename A::Number one,
                const std::function<typename A::Number(double)>& in,
                const std::function<double(typename A::Number)>& out, int samples) {
  using N = typename A::Number;
  std::mt19937_64 random(7);
  auto draw = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  const CordicFunctions<A> f{box, one};
  Errors e;
  auto note = [](double& worst, double got, double right) {
    worst = std::max(worst, std::abs(got - right));
  };
  for (int k = 0; k < samples; ++k) {
    const N x = in(draw(-1, 1)), y = in(draw(-1, 1)), z = in(draw(-3.1, 3.1));
    const double X = out(x), Y = out(y), Z = out(z);
    const auto r = f.rotate(x, y, z);
    note(e.rotation, out(r.x), X * std::cos(Z) + Y * std::sin(Z));
    note(e.rotation, out(r.y), Y * std::cos(Z) - X * std::sin(Z));
    note(e.angle, out(f.atan2(y, x)), std::atan2(Y, X));
    note(e.magnitude, out(f.magnitude(x, y)), std::hypot(X, Y));
    note(e.multiply_add, out(f.multiply_add(x, z, y)), Y + X * Z);
    const double D = draw(0.2, 1), Q = draw(-1, 1) * D * 3;
    const N d = in(D), q = in(Q);
    note(e.divide, out(f.divide(q, d)), out(q) / out(d));
    const N big = in(draw(0.1, 2)), small = in(out(big) * draw(-1, 1));
    note(e.root, out(f.root_of_difference(big, small)),
         std::sqrt((out(big) - out(small)) * (out(big) + out(small))));
    const N w = in(draw(0.05, 3));
    note(e.log, out(f.log(w)), std::log(out(w)));
    const N h = in(draw(-1.9, 1.9));
    note(e.exp, out(f.exp(h)), std::exp(out(h)));
    note(e.sinh, out(f.sinh(h)), std::sinh(out(h)));
    note(e.sinh, out(f.cosh(h)), std::cosh(out(h)));
  }
  return e;
}

Errors in_words(FixedFormat w, int guard, Normalising n) {
  return measured<CordicFixed>(
      cordic_fixed(w, guard, n), w.raw(1), [w](double x) { return w.raw(x); },
      [w](Raw r) { return w.value(r); }, 5000);
}

TEST(Cordic, DoubleIsRightToTheLastBitsWhereverItsOperandsLie) {
  for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
    auto same = [](double x) { return x; };
    const Errors e = measured<CordicReal>(cordic_real(n), 1.0, same, same, 2000);
    for (const double worst :
         {e.rotation, e.angle, e.magnitude, e.multiply_add, e.divide, e.root, e.log, e.exp, e.sinh})
      EXPECT_LT(worst, 1e-14);
  }
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

TEST(Cordic, WordsAreRightToAnUlpAndAHalf) {
  for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
    for (const FixedFormat w : {FixedFormat{24, 20}, {32, 28}, {40, 36}}) {
      const Errors e = in_words(w, 6, n);
      for (const double worst : {e.rotation, e.angle, e.magnitude, e.divide, e.root})
        EXPECT_LT(worst, 1.5 * w.ulp()) << w.word;
      EXPECT_LT(e.multiply_add, 2 * w.ulp());
      EXPECT_LT(e.log, 3 * w.ulp());
      EXPECT_LT(e.sinh, 6 * w.ulp());
      EXPECT_LT(e.exp, 12 * w.ulp());
    }
    const FixedFormat w{24, 20};
    const Errors five = in_words(w, 5, n), none = in_words(w, 0, n);
    for (const double worst : {five.rotation, five.angle, five.magnitude, five.divide, five.root})
      EXPECT_LT(worst, 1.5 * w.ulp());
    EXPECT_GT(none.rotation, 3 * w.ulp());  // what guard bits are for
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
}  // namespace parid
