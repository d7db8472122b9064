// Long integers compared with small ones, constants with digits computed elsewhere, words with
// doubles.

#include "scalar/raw.hpp"

#include <gtest/gtest.h>

#include <random>

#include "scalar/quad.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

Raw any(std::mt19937_64& random, int bits) {  // of that many, sign included
  const Raw x = static_cast<Raw>(static_cast<RawBits>(random()) << 64 | random());
  return x >> (128 - bits);
}

TEST(Raw, ShiftsRoundToTheNearestHalvesUpwards) {
  EXPECT_EQ(rounded_shift(Raw{5}, 1), 3);
  EXPECT_EQ(rounded_shift(Raw{-5}, 1), -2);
  EXPECT_EQ(rounded_shift(Raw{-1}, 100), 0);
  EXPECT_EQ(rounded_shift(Raw{3} << 99, 100), 2);
  EXPECT_EQ(rounded_shift(Raw{7}, -90), Raw{7} << 90);
  for (int place = 0; place < 126; ++place) {
    EXPECT_EQ(highest_bit(Raw{1} << place), place);
    EXPECT_EQ(highest_bit(-(Raw{1} << place)), place);
  }
}

TEST(Raw, ProductsAreThoseOfShiftAndAdd) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 1000; ++k) {
    const Raw a = any(random, 1 + k % 128), b = any(random, 1 + k * 7 % 128);
    Wide sum(0);
    for (int bit = 0; bit < 127; ++bit)
      if (b >> bit & 1) sum = sum + (Wide(a) << bit);
    if (b < 0) sum = sum - (Wide(a) << 127);
    EXPECT_EQ(exact_product(a, b), sum) << k;
  }
}

TEST(Raw, WhatFitsIsTheSameEitherWay) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 2000; ++k) {
    const Raw a = any(random, 60), b = any(random, 60);
    const int by = static_cast<int>(random() % 130) - 5;
    EXPECT_EQ(rounded_shift(exact_product(a, b), by), rounded_shift(a * b, by)) << by;
    EXPECT_EQ((Wide(a) - Wide(b)), Wide(a - b));
    EXPECT_EQ((Wide(a) << 150 >> 150), Wide(a));
    EXPECT_EQ((Wide(a) + Wide(b)), Wide(a + b));
  }
}

// By Python's decimal at 120 digits, from other series; the first is π as printed everywhere.
constexpr Raw digits(std::uint64_t high, std::uint64_t low) {
  return static_cast<Raw>(static_cast<RawBits>(high) << 64 | low);
}
TEST(CordicConstants, HaveTheDigitsThatOthersFind) {
  EXPECT_EQ(half_turn().q, digits(0x3243f6a8885a3, 0x08d313198a2e0370));
  EXPECT_EQ(quarter_turn().q, digits(0x1921fb54442d1, 0x8469898cc51701b8));
  EXPECT_EQ(whole_turn().q, digits(0x6487ed5110b46, 0x11a62633145c06e1));
  EXPECT_EQ(log_of_two().q, digits(0xb17217f7d1cf, 0x79abc9e3b39803f3));
  EXPECT_EQ(arc_tangent(0).q, digits(0xc90fdaa22168, 0xc234c4c6628b80dc));
  EXPECT_EQ(arc_tangent(1).q, digits(0x76b19c1586ed, 0x3da2b7f222f65e1d));
  EXPECT_EQ(arc_tangent(5).q, digits(0x7ff556eea5d, 0x892a13bcebbb6ed4));
  EXPECT_EQ(arc_tangent(23).q, digits(0x1ffffff, 0xfffffd5555555555));
  EXPECT_EQ(hyperbolic_arc_tangent(1).q, digits(0x8c9f53d56818, 0x54bb520cc6aa829e));
  EXPECT_EQ(hyperbolic_arc_tangent(2).q, digits(0x4162bbea0451, 0x469c9daf0be0810f));
  EXPECT_EQ(hyperbolic_arc_tangent(23).q, digits(0x2000000, 0x000002aaaaaaaaab));
  EXPECT_EQ(cordic_start(1).q, digits(0xb504f333f9de, 0x6484597d89b3754b));
  EXPECT_EQ(cordic_start(25).q, digits(0x9b74eda8435e, 0x7450c83fbf10e6a0));
  EXPECT_EQ(cordic_start(101).q, digits(0x9b74eda8435e, 0x5a67f5f9092bd7fd));
  for (int s = 1; s < 100; ++s) {
    const double t = std::ldexp(1.0, -s);
    EXPECT_DOUBLE_EQ(arc_tangent(s).value(), std::atan(t));
    EXPECT_DOUBLE_EQ(hyperbolic_arc_tangent(s).value(), std::atanh(t));
    for (const int sign : {-1, 1})
      EXPECT_DOUBLE_EQ(std::ldexp(static_cast<double>(log_of_factor(s, sign)), -log_bits),
                       std::log1p(sign * t));
  }
}

TEST(FixedFormat, DoublesGoInAndComeOutExactly) {
  std::mt19937_64 random(3);
  for (const int word : {shortest_word, 24, 53, 64, 80, longest_word}) {
    const FixedFormat f{word, word - 4};
    for (int k = 0; k < 500; ++k) {
      const int bits = std::min(word, 53);
      const Raw x = any(random, bits) << (random() % static_cast<unsigned>(word - bits + 1));
      EXPECT_EQ(f.raw(f.value(x)), x) << word;
      EXPECT_EQ(word_of(f, Quad(f.value(x))), x) << word;
      if (word <= Quad::bits) {
        const Raw full = any(random, word);
        EXPECT_EQ(word_of(f, Quad::of(f, full)), full) << word;
      }
    }
    EXPECT_EQ(f.raw(8.0), f.largest());
    EXPECT_EQ(f.raw(-8.0), -f.largest() - 1);
    EXPECT_EQ(f.raw(1e30), f.largest());
    EXPECT_EQ(word_of(f, Quad(-1e30)), -f.largest() - 1);
  }
}

// Long words of a Scalar, against Quad.
template <class F>
void expect_a_scalar() {
  std::mt19937_64 random(11);
  const FixedFormat f = F::format();
  const double ulp = f.ulp(), seen = std::ldexp(64.0, -Quad::bits);
  auto error = [&](F got, Quad right) {
    return static_cast<double>(abs(Quad::of(f, got.raw()) - right));
  };
  for (int k = 0; k < 500; ++k) {
    const F a = F::from_raw(any(random, F::word - 1)), b = F::from_raw(any(random, F::word - 1));
    const Quad x = Quad::of(f, a.raw()), y = Quad::of(f, b.raw());
    EXPECT_LE(error(a - b, x - y), seen);
    if (abs(x * y) < Quad(f.value(f.largest()))) {
      EXPECT_LE(error(a * b, x * y), 0.5001 * ulp + seen);
    } else {
      EXPECT_EQ((a * b).raw(), x * y < Quad(0) ? -f.largest() - 1 : f.largest());
    }
    if (abs(x / y) < Quad(f.value(f.largest()))) {
      EXPECT_LE(error(a / b, x / y), 1.001 * ulp + seen);
    } else {
      EXPECT_EQ((a / b).raw(), (x < Quad(0)) != (y < Quad(0)) ? -f.largest() - 1 : f.largest());
    }
    EXPECT_LE(error(atan2(a, b), atan2(x, y)), 2 * ulp + seen);
    const F angle = F::from_raw(a.raw() / 2);
    EXPECT_LE(error(sin_cos(angle).sin, sin_cos(Quad::of(f, angle.raw())).sin), 2 * ulp + seen);
    EXPECT_LE(error(sqrt(abs(a)), sqrt(abs(x))), 3 * ulp + seen);
  }
}
TEST(Fixed, HasWordsOfAnyLength) {
  expect_a_scalar<Fixed<6, 10>>();
  expect_a_scalar<Fixed<44, 48>>();
  expect_a_scalar<Fixed<60, 64>>();
  expect_a_scalar<Fixed<61, 65>>();
  expect_a_scalar<Fixed<92, 96>>();
  expect_a_scalar<Fixed<96, 100>>();
}

}  // namespace
}  // namespace parid::test
