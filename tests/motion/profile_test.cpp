#include "motion/profile.hpp"

#include <gtest/gtest.h>

#include "scalar/dual.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const Profile all[] = {Profile::minimum_jerk(2), Profile::cubic(0.7), Profile::trapezoid(3, 0.4),
                       Profile::trapezoid(1, 0.5), Profile::constant(1.5)};

TEST(Profile, RateAndAccelerationAreTheDerivatives) {
  using D = Dual<1>;
  for (const Profile& p : all)
    for (int k = 1; k < 200; ++k) {
      const double t = p.duration * k / 200.5;  // beside the corners of the trapezoids
      const Stage<D> s = p.at(D::variable(t, 0));
      EXPECT_NEAR(s.x.d[0], s.v.value, 1e-13 * p.peak_speed()) << profile_names[int(p.kind)] << t;
      EXPECT_NEAR(s.v.d[0], s.a.value, 1e-12 / (p.duration * p.duration));
      EXPECT_NEAR(s.x.value, p.at(t).x, 1e-15);
    }
}

TEST(Profile, GoesFromRestToRest) {
  for (const Profile& p : all) {
    EXPECT_EQ(p.at(0.0).x, 0);
    EXPECT_NEAR(p.at(p.duration).x, 1, 1e-15);
    EXPECT_EQ(p.at(-1.0).x, 0);
    EXPECT_EQ(p.at(-1.0).v, 0);
    EXPECT_NEAR(p.at(p.duration + 1).x, 1, 1e-15);
    EXPECT_EQ(p.at(p.duration + 1).v, 0);
    EXPECT_EQ(p.at(p.duration + 1).a, 0);
    if (p.kind == ProfileKind::constant) continue;
    EXPECT_EQ(p.at(0.0).v, 0);
    EXPECT_NEAR(p.at(p.duration).v, 0, 1e-14);
  }
  EXPECT_EQ(Profile::minimum_jerk(2).at(0.0).a, 0);
  EXPECT_NEAR(Profile::minimum_jerk(2).at(2.0).a, 0, 1e-14);
}

TEST(Profile, PeaksAreReachedAndNotPassed) {
  for (const Profile& p : all) {
    double v = 0, a = 0;
    for (int k = 0; k <= 60000; ++k) {
      const Stage<double> s = p.at(p.duration * k / 60000);
      v = std::max(v, s.v);
      a = std::max(a, std::abs(s.a));
    }
    EXPECT_NEAR(v, p.peak_speed(), 1e-8 * v);
    if (p.kind == ProfileKind::constant) continue;
    EXPECT_NEAR(a, p.peak_acceleration(), 1e-7 * a);
  }
}

TEST(Profile, WithinLimitsIsTheShortest) {
  for (const ProfileKind kind :
       {ProfileKind::minimum_jerk, ProfileKind::cubic, ProfileKind::trapezoid})
    for (const double length : {0.01, 0.5, 20.0}) {
      const double speed = 1.5, acceleration = 4;
      const Profile p = Profile::within(kind, length, speed, acceleration);
      const double v = length * p.peak_speed(), a = length * p.peak_acceleration();
      EXPECT_LE(v, speed * (1 + 1e-12));
      EXPECT_LE(a, acceleration * (1 + 1e-12));
      EXPECT_NEAR(std::max(v / speed, a / acceleration), 1, 1e-12);
    }
  // V²/A < L: full speed is reached. T = L/V + V/A.
  const Profile p = Profile::within(ProfileKind::trapezoid, 3, 2, 4);
  EXPECT_DOUBLE_EQ(p.duration, 2);
  EXPECT_DOUBLE_EQ(p.ramp, 0.5);
  EXPECT_DOUBLE_EQ(Profile::within(ProfileKind::constant, 3, 2, 4).duration, 1.5);
}

}  // namespace
}  // namespace parid::test
