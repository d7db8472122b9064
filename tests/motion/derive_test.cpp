#include "motion/derive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/mat3.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

std::vector<double> uneven_instants(int n, double end) {
  std::vector<double> t;
  for (int k = 0; k < n; ++k) {
    const double s = static_cast<double>(k) / (n - 1);
    t.push_back(end * (s + 0.05 * std::sin(5 * s * std::numbers::pi)));
  }
  return t;
}

TEST(Derive, SplinesAreExactOnCubics) {
  for (const int n : {4, 5, 11}) {
    const std::vector<double> t = uneven_instants(n, 2);
    std::vector<double> x;
    for (const double s : t) x.push_back(3 - 2 * s + 0.5 * s * s - 0.7 * s * s * s);
    const Derivatives d = spline_derivatives(t, x);
    for (int k = 0; k < n; ++k) {
      EXPECT_NEAR(d.first[k], -2 + t[k] - 2.1 * t[k] * t[k], 1e-12) << n << " " << k;
      EXPECT_NEAR(d.second[k], 1 - 4.2 * t[k], 1e-10) << n << " " << k;
    }
  }
}

TEST(Derive, SplinesConvergeOnSines) {
  auto worst = [](int n) {
    std::vector<double> t, x;
    for (int k = 0; k < n; ++k) {
      t.push_back(2.0 * k / (n - 1));
      x.push_back(std::sin(3 * t.back()));
    }
    const Derivatives d = spline_derivatives(t, x);
    double error = 0;
    for (int k = 0; k < n; ++k)
      error = std::max(error, std::abs(d.first[k] - 3 * std::cos(3 * t[k])));
    return error;
  };
  EXPECT_LT(worst(201), worst(101) / 6);  // third order at the ends
  EXPECT_LT(worst(401), 1e-6);
}

// A frame that turns by angle x(t) = 0.3 + 0.8 t + 0.2 t² about a fixed axis u: ω = ẋ u, ω̇ = ẍ u,
// in the body as in the world.
struct Turning {
  Vec3<double> u{2.0 / 7, 3.0 / 7, 6.0 / 7};
  static double angle(double t) { return 0.3 + 0.8 * t + 0.2 * t * t; }
  static double rate(double t) { return 0.8 + 0.4 * t; }
  void put(std::vector<double>& q, double t, double sign) const {
    const double s = sign * std::sin(angle(t) / 2), c = sign * std::cos(angle(t) / 2);
    q.insert(q.end(), {s * u.x, s * u.y, s * u.z, c});
  }
};

SampledTrajectory samples(int n, double end) {
  SampledTrajectory m;
  m.rows = n;
  for (int k = 0; k < n; ++k) m.t.push_back(end * k / (n - 1));
  return m;
}

TEST(Derive, QuaternionsGiveTheBodysRate) {
  const Turning turning;
  const Robot robot = single("spherical");
  for (const bool flips : {false, true}) {  // q and -q are one rotation
    SampledTrajectory m = samples(301, 3);
    for (std::size_t r = 0; r < m.rows; ++r) turning.put(m.q, m.t[r], flips && r % 7 < 3 ? -1 : 1);
    derive_motion(robot, m, false, false);
    for (std::size_t r = 0; r < m.rows; ++r) {
      const double w = Turning::rate(m.t[r]);
      EXPECT_NEAR(m.v[3 * r], w * turning.u.x, 1e-6) << r;
      EXPECT_NEAR(m.v[3 * r + 1], w * turning.u.y, 1e-6) << r;
      EXPECT_NEAR(m.v[3 * r + 2], w * turning.u.z, 1e-6) << r;
      EXPECT_NEAR(m.a[3 * r + 2], 0.4 * turning.u.z, 1e-3) << r;
    }
  }
}

// The trunk turns as above while it goes round x = (cos t, sin t, t²/2) in the world.
TEST(Derive, AFloatingBaseMovesInItsOwnFrame) {
  const Turning turning;
  const Robot robot = single("floating");
  SampledTrajectory m = samples(401, 2);
  for (const double t : m.t) {
    m.q.insert(m.q.end(), {std::cos(t), std::sin(t), t * t / 2});
    turning.put(m.q, t, 1);
  }
  derive_motion(robot, m, false, false);
  for (std::size_t r = 0; r < m.rows; ++r) {
    const double t = m.t[r];
    const double* q = &m.q[7 * r + 3];
    const Mat3<double> R = rotation_of(q[0], q[1], q[2], q[3]);
    const Vec3<double> v = transposed_times(R, Vec3<double>{-std::sin(t), std::cos(t), t});
    const Vec3<double> w = Turning::rate(t) * turning.u;
    const Vec3<double> a =
        transposed_times(R, Vec3<double>{-std::cos(t), -std::sin(t), 1}) - cross(w, v);
    EXPECT_NEAR(m.v[6 * r], v.x, 1e-6);
    EXPECT_NEAR(m.v[6 * r + 1], v.y, 1e-6);
    EXPECT_NEAR(m.v[6 * r + 2], v.z, 1e-6);
    EXPECT_NEAR(m.v[6 * r + 3], w.x, 1e-6);
    EXPECT_NEAR(m.a[6 * r], a.x, 1e-3);
    EXPECT_NEAR(m.a[6 * r + 1], a.y, 1e-3);
    EXPECT_NEAR(m.a[6 * r + 2], a.z, 1e-3);
    EXPECT_NEAR(m.a[6 * r + 5], 0.4 * turning.u.z, 1e-3);
  }
}

TEST(Derive, AContinuousJointMayWrap) {
  const Robot robot = single("continuous", "axis = [0, 0, 1]");
  SampledTrajectory m = samples(101, 4);
  for (const double t : m.t) m.q.push_back(std::remainder(3 * t, 2 * std::numbers::pi));
  const std::vector<double> q = m.q;
  derive_motion(robot, m, false, false);
  EXPECT_EQ(m.q, q);
  for (std::size_t r = 0; r < m.rows; ++r) {
    EXPECT_NEAR(m.v[r], 3, 1e-11);
    EXPECT_NEAR(m.a[r], 0, 1e-9);
  }
}

TEST(Derive, KeepsWhatIsGiven) {
  const Robot robot = single("prismatic", "axis = [0, 0, 1]");
  SampledTrajectory m = samples(9, 2);
  for (const double t : m.t) {
    m.q.push_back(t * t);
    m.v.push_back(5 * t * t);
    m.a.push_back(7);
  }
  SampledTrajectory from_v = m, from_q = m;
  derive_motion(robot, from_v, true, false);
  EXPECT_EQ(from_v.v, m.v);
  for (std::size_t r = 0; r < m.rows; ++r) EXPECT_NEAR(from_v.a[r], 10 * m.t[r], 1e-11);
  derive_motion(robot, from_q, false, true);
  EXPECT_EQ(from_q.a, m.a);
  for (std::size_t r = 0; r < m.rows; ++r) EXPECT_NEAR(from_q.v[r], 2 * m.t[r], 1e-11);
}

}  // namespace
}  // namespace parid::test
