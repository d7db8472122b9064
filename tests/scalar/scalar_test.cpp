// The number types, each compared with the numbers it represents.

#include <gtest/gtest.h>

#include <cfenv>
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/scalar/fast_sine.hpp"

namespace parid::test {
namespace {

static_assert(Scalar<double> && Scalar<float>);
static_assert(Scalar<Pack<1>> && Scalar<Pack<2>> && Scalar<Pack<4>> && Scalar<Pack<8>> &&
              Scalar<Pack<16>>);
static_assert(Scalar<Pack<1, float>> && Scalar<Pack<4, float>> && Scalar<Pack<8, float>> &&
              Scalar<Pack<16, float>>);
static_assert(Scalar<Pack<4, double, Avx2>> && Scalar<Pack<16, float, Avx512>>);
static_assert(Scalar<Counted>);
static_assert(Scalar<Dual<1>> && Scalar<Dual<12>> && Scalar<Dual<3, float>>);
static_assert(Scalar<Dual<2, Pack<4>>> && Scalar<Dual<1, Dual<1>>> && Scalar<Dual<1, Counted>>);
static_assert(!Scalar<const char*> && !Scalar<bool*>);
static_assert(!std::convertible_to<double, Pack<4>>);  // constants are said aloud: T(2.0)
static_assert(!std::convertible_to<double, Dual<1>>);
static_assert(!std::convertible_to<double, Counted>);

// ---- sine and cosine
// -------------------------------------------------------------------------------

double in_ulps(double got, long double exact) {
  if (exact == 0) return got == 0 ? 0 : INFINITY;
  const int exponent = std::max(std::ilogb(exact), DBL_MIN_EXP - 1);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) /
                             std::ldexp(1.0L, exponent - 52));
}

std::vector<std::pair<std::string, FastSine>> fast_sines() {
  std::vector<std::pair<std::string, FastSine>> all{{"baseline", fast_sine_baseline}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    all.emplace_back("avx2", fast_sine_avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    all.emplace_back("avx512", fast_sine_avx512);
#endif
  return all;
}

void expect_one_ulp(std::vector<double> x) {
  x.resize((x.size() + 7) / 8 * 8, 0.5);
  std::vector<double> s(x.size()), c(x.size());
  for (const auto& [name, sine_of] : fast_sines()) {
    sine_of(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto exact = static_cast<long double>(x[k]);
      ASSERT_LE(in_ulps(s[k], std::sin(exact)), 1) << name << ", sine of " << std::hexfloat << x[k];
      ASSERT_LE(in_ulps(c[k], std::cos(exact)), 1)
          << name << ", cosine of " << std::hexfloat << x[k];
    }
  }
}

TEST(SinCos, IsRightToOneUlpWithinItsRange) {
  Rng rng(1);
  std::vector<double> x;
  for (double reach : {1e-300, 1e-8, 0.1, 0.8, 1.6, 3.2, 10.0, 1e3, 1e5})
    for (int k = 0; k < 40000; ++k) x.push_back(uniform(rng, -reach, reach));
  expect_one_ulp(x);
}

TEST(SinCos, IsRightToOneUlpAtItsEnds) {
  expect_one_ulp({0.0, -0.0, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN, DBL_EPSILON, 1.0, -1.0, 1e5,
                  -1e5, std::nextafter(1e5, 0)});
}

// Where one of the two almost vanishes: next to every multiple of π/2, and where the quadrant
// changes.
TEST(SinCos, IsRightToOneUlpAboutEveryQuarterTurn) {
  std::vector<double> x;
  for (int n = -127323; n <= 127323; n += n > -2000 && n < 2000 ? 1 : 37) {
    double at = static_cast<double>(n * (std::numbers::pi_v<long double> / 4));
    for (int k = 0; k < 3; ++k) at = std::nextafter(at, -INFINITY);
    for (int k = 0; k < 7; ++k) {
      x.push_back(at);
      at = std::nextafter(at, INFINITY);
    }
  }
  std::erase_if(x, [](double y) { return std::abs(y) > 1e5; });
  expect_one_ulp(x);
}

// In every rounding mode; and by a program compiled with -ffast-math. About multiples of π/4 too.
TEST(SinCos, IsRightToAFewUlpsWhateverTheRoundingMode) {
  Rng rng(5);
  std::vector<double> x;
  for (double reach : {1e-8, 0.8, 3.2, 100.0, 1e5})
    for (int k = 0; k < 8000; ++k) x.push_back(uniform(rng, -reach, reach));
  for (int n = -1000; n < 1000; ++n) x.push_back(n * (std::numbers::pi / 4));
  std::vector<double> s(x.size()), c(x.size());
  auto all = fast_sines();
  all.emplace_back("-ffast-math", fast_sine_fast_math);
  for (const auto& [name, sine_of] : all)
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      sine_of(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
      std::fesetround(FE_TONEAREST);
      const double bound = name == "-ffast-math" ? 3 : mode == FE_TONEAREST ? 1 : 2;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto exact = static_cast<long double>(x[k]);
        ASSERT_LE(in_ulps(s[k], std::sin(exact)), bound) << name << mode << " " << x[k];
        ASSERT_LE(in_ulps(c[k], std::cos(exact)), bound) << name << mode << " " << x[k];
      }
    }
}

TEST(SinCos, AsksTheLibraryBeyondItsRange) {
  const std::vector<double> x = {
      std::nextafter(1e5, 1e6), -1e6, 1e9, 1e15, 1e22, -1e300, DBL_MAX, 123456.789};
  std::vector<double> s(8), c(8);
  for (const auto& [name, sine_of] : fast_sines()) {
    sine_of(x.data(), s.data(), c.data(), 8);
    for (int k = 0; k < 8; ++k) {
      EXPECT_EQ(s[k], std::sin(x[k])) << name << " " << x[k];
      EXPECT_EQ(c[k], std::cos(x[k])) << name << " " << x[k];
    }
  }
}

TEST(SinCos, OfNoNumberIsNoNumber) {
  const std::vector<double> x = {NAN, INFINITY, -INFINITY, -NAN, 1, 2, 3, 4};
  std::vector<double> s(8), c(8);
  for (const auto& [name, sine_of] : fast_sines()) {
    sine_of(x.data(), s.data(), c.data(), 8);
    for (int k = 0; k < 4; ++k)
      EXPECT_TRUE(std::isnan(s[k]) && std::isnan(c[k])) << name << " " << x[k];
    for (int k = 4; k < 8; ++k)
      EXPECT_TRUE(in_ulps(s[k], std::sin(static_cast<long double>(x[k]))) <= 1) << name;
  }
}

TEST(SinCos, OfALaneDoesNotDependOnTheOthers) {
  Rng rng(2);
  for (const auto& [name, sine_of] : fast_sines())
    for (int sample = 0; sample < 2000; ++sample) {
      const double mine = uniform(rng, -10, 10);
      const double others[] = {uniform(rng, -1e5, 1e5), 1e12, NAN, 0, INFINITY};
      double s[8], c[8], s0[8], c0[8];
      const std::vector<double> alike(8, mine);
      sine_of(alike.data(), s0, c0, 8);
      for (int at = 0; at < 8; ++at) {
        double x[8];
        for (int k = 0; k < 8; ++k) x[k] = k == at ? mine : others[rng() % 5];
        sine_of(x, s, c, 8);
        ASSERT_EQ(s[at], s0[0]) << name;
        ASSERT_EQ(c[at], c0[0]) << name;
      }
    }
}

template <int W, class Real>
void expect_pack_sin_cos(double tolerance_in_ulps) {
  Rng rng(3);
  for (int sample = 0; sample < 2000; ++sample) {
    Pack<W, Real> x;
    for (int k = 0; k < W; ++k) x.set(k, static_cast<Real>(uniform(rng, -100, 100)));
    const auto [s, c] = sin_cos(x);
    for (int k = 0; k < W; ++k) {
      const long double ls = std::sin(static_cast<long double>(x[k])),
                        lc = std::cos(static_cast<long double>(x[k]));
      // ulps of float are so many of double
      const double coarser = std::is_same_v<Real, float> ? 0x1p-29 : 1;
      EXPECT_LE(in_ulps(s[k], ls) * coarser, tolerance_in_ulps) << W;
      EXPECT_LE(in_ulps(c[k], lc) * coarser, tolerance_in_ulps) << W;
    }
  }
}
TEST(SinCos, OfPacksOfEveryWidth) {
  expect_pack_sin_cos<1, double>(1);
  expect_pack_sin_cos<2, double>(1);
  expect_pack_sin_cos<4, double>(1);
  expect_pack_sin_cos<8, double>(1);
  expect_pack_sin_cos<16, double>(1);
  expect_pack_sin_cos<1, float>(0.501);  // through double: rounded once
  expect_pack_sin_cos<4, float>(0.501);
  expect_pack_sin_cos<8, float>(0.501);
  expect_pack_sin_cos<16, float>(0.501);
}

// ---- packs
// -----------------------------------------------------------------------------------------

template <int W, class Real>
void expect_pack_is_lanes() {
  Rng rng(4);
  for (int sample = 0; sample < 200; ++sample) {
    Pack<W, Real> a, b;
    for (int k = 0; k < W; ++k) {
      a.set(k, static_cast<Real>(uniform(rng, -2, 2)));
      b.set(k, static_cast<Real>(uniform(rng, -2, 2)));
    }
    const auto sum = a + b, difference = a - b, product = a * b, ratio = a / b, negative = -a,
               chosen = select(a < b, a, b), size = abs(a), root = sqrt(size), angle = atan2(a, b);
    for (int k = 0; k < W; ++k) {
      EXPECT_EQ(sum[k], a[k] + b[k]);
      EXPECT_EQ(difference[k], a[k] - b[k]);
      EXPECT_EQ(product[k], a[k] * b[k]);
      EXPECT_EQ(ratio[k], a[k] / b[k]);
      EXPECT_EQ(negative[k], -a[k]);
      EXPECT_EQ(chosen[k], std::min(a[k], b[k]));
      EXPECT_EQ(size[k], std::abs(a[k]));
      EXPECT_EQ(root[k], std::sqrt(std::abs(a[k])));
      EXPECT_EQ(angle[k], std::atan2(a[k], b[k]));
    }
  }
}
TEST(Packs, DoTheSameInEveryLane) {
  expect_pack_is_lanes<1, double>();
  expect_pack_is_lanes<2, double>();
  expect_pack_is_lanes<4, double>();
  expect_pack_is_lanes<8, double>();
  expect_pack_is_lanes<16, double>();
  expect_pack_is_lanes<1, float>();
  expect_pack_is_lanes<4, float>();
  expect_pack_is_lanes<8, float>();
  expect_pack_is_lanes<16, float>();
}

TEST(Packs, StartAtZeroAndBroadcastConstants) {
  const Pack<8> zero, half(0.5);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(zero[k] + half[k], 0.5);
}

// ---- dual numbers
// ----------------------------------------------------------------------------------

// f's partial derivatives by dual numbers against central differences, at (x, y).
template <class F>
void expect_derivatives(const char* what, F f, double x, double y) {
  const Dual<2> z = f(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
  EXPECT_DOUBLE_EQ(z.value, f(x, y)) << what;
  const double h = 1e-6;
  EXPECT_NEAR(z.d[0], (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-8 * (1 + std::abs(z.d[0])))
      << what << " by x at " << x << " " << y;
  EXPECT_NEAR(z.d[1], (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-8 * (1 + std::abs(z.d[1])))
      << what << " by y at " << x << " " << y;
}

TEST(Duals, CarryTheDerivativeOfEveryOperation) {
  Rng rng(5);
  for (int sample = 0; sample < 100; ++sample) {
    const double x = std::copysign(uniform(rng, 0.3, 3), uniform(rng, -1, 1)),
                 y = std::copysign(uniform(rng, 0.3, 3), uniform(rng, -1, 1));
    expect_derivatives(
        "x + y", [](auto a, auto b) { return a + b; }, x, y);
    expect_derivatives(
        "x - y", [](auto a, auto b) { return a - b; }, x, y);
    expect_derivatives(
        "x y", [](auto a, auto b) { return a * b; }, x, y);
    expect_derivatives(
        "x / y", [](auto a, auto b) { return a / b; }, x, y);
    expect_derivatives(
        "-x", [](auto a, auto) { return -a; }, x, y);
    expect_derivatives(
        "|x|", [](auto a, auto) { return abs(a); }, x, y);
    expect_derivatives(
        "sqrt |x|", [](auto a, auto) { return sqrt(abs(a)); }, x, y);
    expect_derivatives(
        "atan2", [](auto a, auto b) { return atan2(a, b); }, x, y);
    expect_derivatives(
        "sin", [](auto a, auto) { return sin_cos(a).sin; }, x, y);
    expect_derivatives(
        "cos", [](auto, auto b) { return sin_cos(b).cos; }, x, y);
    if (std::abs(x - y) > 1e-3)
      expect_derivatives(
          "min", [](auto a, auto b) { return select(a < b, a, b); }, x, y);
    expect_derivatives(
        "all together",
        [](auto a, auto b) { return a * sin_cos(a * b).sin / sqrt(b * b + a * a) - atan2(b, a); },
        x, y);
  }
}

TEST(Duals, OfPacksDifferentiateEveryLane) {
  Pack<4> x, y;
  for (int k = 0; k < 4; ++k) {
    x.set(k, 0.3 + k);
    y.set(k, 2.5 - k);
  }
  Dual<2, Pack<4>> a, b;
  a.value = x;
  a.d[0] = Pack<4>(1.0);
  b.value = y;
  b.d[1] = Pack<4>(1.0);
  const auto z = a * sin_cos(b).cos;
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(z.value[k], x[k] * std::cos(y[k]), 1e-15);
    EXPECT_NEAR(z.d[0][k], std::cos(y[k]), 1e-15);
    EXPECT_NEAR(z.d[1][k], -x[k] * std::sin(y[k]), 1e-15);
  }
}

TEST(Duals, OfDualsAreSecondDerivatives) {
  using D = Dual<1, Dual<1>>;
  D x(0.7);
  x.value.d[0] = 1;
  x.d[0].value = 1;
  const D y = x * x * sin_cos(x).sin;
  EXPECT_NEAR(y.d[0].value, 2 * 0.7 * std::sin(0.7) + 0.49 * std::cos(0.7), 1e-15);
  EXPECT_NEAR(y.d[0].d[0], 2 * std::sin(0.7) + 4 * 0.7 * std::cos(0.7) - 0.49 * std::sin(0.7),
              1e-15);
}

// ---- counted numbers
// -------------------------------------------------------------------------------

OperationCount counted(const std::function<void()>& work) {
  Counted::reset();
  work();
  return Counted::count();
}

TEST(Counting, EveryOperationIsCountedOnce) {
  const Counted a(2), b(3);
  EXPECT_EQ(counted([&] { a + b; }).additions, 1);
  EXPECT_EQ(counted([&] { a - b; }).additions, 1);
  EXPECT_EQ(counted([&] { a* b; }).multiplications, 1);
  EXPECT_EQ(counted([&] { a / b; }).divisions, 1);
  EXPECT_EQ(counted([&] { sqrt(a); }).square_roots, 1);
  EXPECT_EQ(counted([&] { sin_cos(a); }).sin_cos, 1);
  EXPECT_EQ(counted([&] { atan2(a, b); }).atan2, 1);
  EXPECT_EQ(counted([&] { select(a < b, -a, abs(b)); }), OperationCount{});  // free
  EXPECT_EQ(counted([&] { Counted(0.0) * a + Counted(0.0); }),
            (OperationCount{.multiplications = 1, .additions = 1}));  // nothing is folded
}

TEST(Counting, AnExpressionsCountsAddUp) {
  const Counted x(0.5), y(2);
  Counted value;
  const OperationCount n =
      counted([&] { value = (x * y + x * x - y) / sqrt(x * y) + sin_cos(x).sin; });
  EXPECT_EQ(
      n,
      (OperationCount{
          .multiplications = 3, .additions = 3, .divisions = 1, .square_roots = 1, .sin_cos = 1}));
  EXPECT_DOUBLE_EQ(value.value, (1 + 0.25 - 2) / 1 + std::sin(0.5));
}

}  // namespace
}  // namespace parid::test
