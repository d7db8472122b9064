// Taylor series as numbers: the sum of the series is the function, to the order that it has.

#include "scalar/taylor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scalar/dual.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

template <class T>
T composed(const T& t) {
  const T x = T(0.3) + t * (T(0.7) - T(0.4) * t);
  const auto [s, c] = sin_cos(x);
  const T root = sqrt(T(2.0) + x), angle = atan2(s - T(0.2), T(0.6) + x);
  return s * root / (T(1.5) + c) + angle - abs(-(x * x)) +
         select(T(0.0) < x, mimic_angle(x, -2, 0.4), T(9.0)) + angle_sum(x, T(0.25));
}

template <int N>
double error_of_sum(double at, double h) {
  std::array<double, N + 1> d{};
  d[0] = at;
  d[1] = 1;
  const Taylor<N> series = composed(Taylor<N>::of_derivatives(d));
  double sum = 0;
  for (int k = N; k >= 0; --k) sum = sum * h + series.c[k];
  return std::abs(sum - composed(at + h));
}

TEST(Taylor, SumsToTheFunctionWithTheOrderOfTheSeries) {
  for (const double at : {-0.2, 0.1, 0.8}) {
    const double long_step = error_of_sum<4>(at, 0.04), short_step = error_of_sum<4>(at, 0.02);
    EXPECT_LT(long_step, 1e-6);
    EXPECT_NEAR(long_step / short_step, 32, 6) << at;  // the first term left out is of fifth order
    EXPECT_LT(error_of_sum<6>(at, 0.01), 1e-12);
  }
}

TEST(Taylor, FirstCoefficientIsTheDerivativeOfDualNumbers) {
  for (const double at : {-0.2, 0.1, 0.8}) {
    const Dual<1> dual = composed(Dual<1>::variable(at, 0));
    const Taylor<3> series = composed(Taylor<3>::of_derivatives({at, 1, 0, 0}));
    EXPECT_DOUBLE_EQ(series.c[0], dual.value);
    EXPECT_NEAR(series.c[1], dual.d[0], 1e-14 * std::abs(dual.d[0]));
    EXPECT_EQ(series.derivative(3), 6 * series.c[3]);
  }
}

}  // namespace
}  // namespace parid::test
