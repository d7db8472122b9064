#include "lookup/grid.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "scalar/counted.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

// Two functions over three axes; the second axis has one point, so they may not depend on it.
void sample(const double* x, double* out) {
  out[0] = 3 + 2 * x[0] - x[2] + 0.5 * x[0] * x[2];  // multilinear: interpolation is exact
  out[1] = std::sin(x[0]) * std::exp(x[2]);
}

struct Sampled {
  Grid grid;
  std::vector<double> values;
  explicit Sampled(int points)
      : grid({{-1, 2, points}, {0, 9, 1}, {-1, 1, points + 2}}, 2), values(grid.values()) {
    double x[3];
    for (std::size_t p = 0; p < grid.points(); ++p) {
      grid.position(p, x);
      sample(x, &values[2 * p]);
    }
  }
  double error(double x0, double x2, int k) const {
    const double x[3] = {x0, 5, x2};
    double got[2], want[2];
    grid.interpolate(values.data(), x, got);
    sample(x, want);
    return std::abs(got[k] - want[k]);
  }
};

TEST(Grid, ExactAtItsPoints) {
  const Sampled s(7);
  EXPECT_EQ(s.grid.points(), 7u * 9u);
  EXPECT_EQ(s.grid.live(), 2);
  double x[3];
  for (std::size_t p = 0; p < s.grid.points(); ++p) {
    s.grid.position(p, x);
    EXPECT_LE(s.error(x[0], x[2], 0), 1e-14);
    EXPECT_LE(s.error(x[0], x[2], 1), 1e-14);
  }
}

TEST(Grid, BetweenThem) {
  const Sampled coarse(7), fine(13);
  double worst[2] = {};
  for (double x = -1; x <= 2; x += 0.037)
    for (double y = -1; y <= 1; y += 0.041) {
      EXPECT_LE(coarse.error(x, y, 0), 1e-14);
      worst[0] = std::max(worst[0], coarse.error(x, y, 1));
      worst[1] = std::max(worst[1], fine.error(x, y, 1));
    }
  EXPECT_NEAR(worst[0] / worst[1], 4, 0.8);
}

TEST(Grid, OutsideItsBox) {
  const Sampled s(5);
  double border[2], out[2];
  const double at[3] = {2, 0, 1}, beyond[3] = {7, 0, 1e300}, nan[3] = {NAN, 0, 0};
  s.grid.interpolate(s.values.data(), at, border);
  s.grid.interpolate(s.values.data(), beyond, out);
  EXPECT_EQ(out[0], border[0]);
  s.grid.interpolate(s.values.data(), nan, out);
  EXPECT_TRUE(std::isnan(out[0]));
}

TEST(Grid, ComesBackInByWholeTurns) {
  const double pi = std::numbers::pi;
  const Grid grid({{-pi, pi, 9, true}}, 1);
  std::vector<double> values(9);
  for (int k = 0; k < 9; ++k) values[k] = std::cos(grid.axes()[0].at(k));
  for (const double x : {-3.0, -0.7, 0.0, 1.9, 3.1})
    for (const double turns : {-3, -1, 1, 40}) {
      double here, there;
      const double moved = x + turns * 2 * pi;
      grid.interpolate(values.data(), &x, &here);
      grid.interpolate(values.data(), &moved, &there);
      EXPECT_NEAR(here, there, 1e-12);
    }
}

TEST(Grid, CostsWhatItSays) {
  const Sampled s(4);
  const double x[3] = {0.3, 0, 0.2};
  Counted out[2];
  Counted::reset();
  s.grid.interpolate(s.values.data(), x, out);
  EXPECT_EQ(Counted::count().multiplications, 4 * (2 + 2) - 2);
  EXPECT_EQ(Counted::count().additions, 4 * 2);
}

}  // namespace
}  // namespace parid::test
