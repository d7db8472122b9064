#include "math/polynomial.hpp"
#include "tests/layer.hpp"

#include <gtest/gtest.h>

namespace parid::test {
namespace {

using Fraction = Polynomial::Fraction;

// Values of f at first, first + 1, …
template <class F>
std::vector<long long> values(long long first, int count, const F& f) {
  std::vector<long long> all;
  for (long long n = first; n < first + count; ++n) all.push_back(f(n));
  return all;
}

TEST(Polynomial, FitsWhatIsOne) {
  const auto constant = exact_fit(1, {7, 7, 7});
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->text(), "7");
  const auto linear = exact_fit(2, values(2, 5, [](long long n) { return 135 * n - 24; }));
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->coefficient, (std::vector<Fraction>{{-24, 1}, {135, 1}}));
  const auto fractions =
      exact_fit(1, values(1, 5, [](long long n) { return (213 * n * n + 1241 * n) / 2 - 512; }));
  ASSERT_TRUE(fractions);
  EXPECT_EQ(fractions->text(), "213/2 n^2 + 1241/2 n − 512");
  const auto fourth = exact_fit(3, values(3, 8, [](long long n) { return n * n * n * n - n; }));
  ASSERT_TRUE(fourth);
  EXPECT_EQ(fourth->text(), "n^4 − n");
  EXPECT_EQ(fourth->at(10), 9990);
}

TEST(Polynomial, IsTheSameWhereverItsValuesStart) {
  auto f = [](long long n) { return n * (n + 1) * (n + 2) / 6; };
  for (long long first : {-3, 0, 1, 17}) {
    const auto p = exact_fit(first, values(first, 6, f));
    ASSERT_TRUE(p) << first;
    EXPECT_EQ(p->text(), "1/6 n^3 + 1/2 n^2 + 1/3 n") << first;
  }
}

TEST(Polynomial, IsNoneWhereNothingProvesIt) {
  EXPECT_FALSE(exact_fit(1, {}));
  EXPECT_FALSE(exact_fit(1, {5}));     // one value: no second to prove a constant
  EXPECT_FALSE(exact_fit(1, {5, 8}));  // two: no third to prove a line
  EXPECT_FALSE(exact_fit(1, {1, 2, 4, 8, 16, 32, 64, 128}));
  EXPECT_FALSE(exact_fit(1, values(1, 9, [](long long n) { return n * n * n; }),
                         2));                // of a higher degree than asked
  EXPECT_FALSE(exact_fit(1, {1, 2, 3, 5}));  // a line but for the last
}

TEST(Polynomial, Text) {
  EXPECT_EQ((Polynomial{{{0, 1}}}).text(), "0");
  EXPECT_EQ((Polynomial{{{-1, 2}}}).text(), "−1/2");
  EXPECT_EQ((Polynomial{{{0, 1}, {-1, 1}}}).text(), "−n");
  EXPECT_EQ((Polynomial{{{1, 1}, {0, 1}, {-3, 2}}}).text("m"), "−3/2 m^2 + 1");
}

TEST(Polynomial, ZeroIsOne) {
  const auto zero = exact_fit(4, {0, 0, 0});
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->text(), "0");
}

}  // namespace
}  // namespace parid::test
