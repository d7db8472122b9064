// Decimal numbers against <charconv>, which is the definition of what they read and write.

#include "base/text/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string written(double x) {
  char text[decimal_room];
  return {text, write_decimal(text, x)};
}

std::string written_by_library(double x) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

// How many numbers read_decimal leaves to std::from_chars.
struct Left {
  int count = 0;
};

// Fails unless read_decimal and std::from_chars agree on the value's bits and on its end.
void expect_same_reading(const std::string& text, Left& left) {
  double ours = 0, library = 0;
  const std::string padded = text + "," + std::string(decimal_margin, '7');
  const char* stop = read_decimal(padded.data(), ours);
  const auto [end, error] = std::from_chars(padded.data(), padded.data() + text.size(), library);
  if (stop == nullptr) {
    ++left.count;
    return;
  }
  double plain = 0;
  if (read_plain_decimal(padded.data(), padded.data() + text.size(), plain)) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(plain), std::bit_cast<std::uint64_t>(ours)) << text;
  }
  ASSERT_EQ(error, std::errc()) << text;
  ASSERT_EQ(stop - padded.data(), end - padded.data()) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(ours), std::bit_cast<std::uint64_t>(library)) << text;
}

// Numbers of all magnitudes, of few digits, whole ones, and those at the ends of binades and
// decades.
std::vector<double> telling_numbers() {
  std::mt19937_64 random(11);
  std::vector<double> all{0,
                          -0.0,
                          1,
                          -1,
                          0.1,
                          1e15,
                          1e16,
                          9007199254740991,
                          9007199254740992,
                          INFINITY,
                          -INFINITY,
                          NAN,
                          5e-324,
                          1.7976931348623157e308};
  for (int i = 0; i < 200'000; ++i) {
    all.push_back(std::bit_cast<double>(random()));
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    all.push_back((unit - 0.5) * std::pow(10.0, static_cast<int>(random() % 24) - 12));
    all.push_back(static_cast<double>(random() % 100'000) / 1000);
    all.push_back(static_cast<double>(random() >> (random() % 64)));
    all.push_back(static_cast<double>(i) / 64);
  }
  const auto add_neighbours = [&](double x) {
    all.insert(all.end(), {x, -x, std::nextafter(x, 0.0), std::nextafter(x, INFINITY)});
  };
  for (int e = -1074; e < 1024; ++e) add_neighbours(std::ldexp(1.0, e));
  for (int e = -323; e <= 308; ++e) {
    double x = 0;
    const std::string text = "1e" + std::to_string(e);
    std::from_chars(text.data(), text.data() + text.size(), x);
    add_neighbours(x);
  }
  return all;
}

TEST(Decimal, WritesTheLibrarysBytes) {
  for (const double x : telling_numbers()) ASSERT_EQ(written(x), written_by_library(x));
}

TEST(Decimal, ReadsWhatIsWritten) {
  Left left;
  int normal = 0;
  for (const double x : telling_numbers()) {
    expect_same_reading(written_by_library(x), left);
    normal += x == 0 || std::isnormal(x);
  }
  EXPECT_LT(left.count, normal / 100);
}

TEST(Decimal, ReadsDigitsInAnyNumberAndForm) {
  std::mt19937_64 random(12);
  Left left;
  constexpr int texts = 400'000;
  for (int i = 0; i < texts; ++i) {
    std::string text;
    const auto length = 1 + random() % 21;
    for (std::uint64_t k = 0; k < length; ++k) text += static_cast<char>('0' + random() % 10);
    if (random() % 4 != 0) text.insert(random() % (text.size() + 1), ".");
    if (random() % 8 == 0) text.insert(0, std::string(random() % 30, '0'));
    if (random() % 2 != 0) {
      const int range = random() % 2 ? 40 : 700;
      text += (random() % 2 ? "e" : "E");
      const int exponent = static_cast<int>(random() % static_cast<unsigned>(range)) - range / 2;
      if (exponent >= 0 && random() % 2) text += '+';
      text += std::to_string(exponent);
    }
    if (random() % 5 == 0) text.insert(0, "-");
    expect_same_reading(text, left);
  }
  EXPECT_LT(left.count, texts / 2);
}

// Between two doubles exactly, and next to it: rounding to even needs every bit of the product.
TEST(Decimal, RoundsHalfwayCasesToEven) {
  std::mt19937_64 random(13);
  Left left;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t odd = (random() >> 10) | (std::uint64_t{1} << 53) | 1;  // 54 bits
    for (const std::uint64_t whole : {odd - 1, odd, odd + 1}) {
      const std::string text = std::to_string(whole);
      expect_same_reading(text, left);
      expect_same_reading(text + "e" + std::to_string(static_cast<int>(random() % 30) - 6), left);
    }
    expect_same_reading(std::to_string(odd) + ".5", left);
  }
  EXPECT_EQ(left.count, 0);
}

TEST(Decimal, PlainNumbersFillTheirField) {
  const auto reads = [](const std::string& text, std::size_t size) {
    double ignored;
    const std::string padded = text + std::string(decimal_margin, '0');
    return read_plain_decimal(padded.data(), padded.data() + size, ignored);
  };
  EXPECT_TRUE(reads("-12.345,", 7));
  EXPECT_TRUE(reads("1.,", 2));
  EXPECT_TRUE(reads("1234567.890123456789,", 20));
  for (const char* text : {"1.5 ", " 1.5", "+1.5", "1.5\r", "1.5e3", ".5", "-.5", "1", "", "1..5",
                           "1.5-", "1x.5", "-", "--1.5", "12345678.5", "1.5:", "1./5", "inf"})
    EXPECT_FALSE(reads(text, std::string(text).size())) << text;
}

TEST(Decimal, LeavesTheRestToTheLibrary) {
  double ignored;
  for (const char* text :
       {"", ".", "-", "-.", "e5", "inf", "-nan", "x", "+1", ",1", "1e", "1e+", "1.e-x",
        "12345678901234567890", "1e-320", "1e309", "0.00000000000001e-99999"})
    EXPECT_EQ(
        read_decimal((text + std::string(",") + std::string(decimal_margin, ' ')).c_str(), ignored),
        nullptr)
        << text;
}

}  // namespace
}  // namespace parid::test
