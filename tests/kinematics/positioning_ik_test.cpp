#include "kinematics/positioning_ik.hpp"

#include <gtest/gtest.h>

#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

using namespace parid;
using namespace parid::test;

namespace {

// The wrist's centre, written out as program D.1.3 checks itself.
template <class T>
Vec3<T> wrist(const PositioningLengths& l, const std::array<T, 3>& q) {
  const auto [s1, c1] = sin_cos(q[0]);
  const auto [s2, c2] = sin_cos(q[1]);
  const auto [s23, c23] = sin_cos(q[1] + q[2]);
  const T a2(l.a2), a3(l.a3), d3(l.d3), d4(l.d4);
  return {a3 * c1 * c23 - d4 * c1 * s23 + a2 * c2 * c1 - d3 * s1,
          a3 * s1 * c23 - d4 * s1 * s23 + a2 * c2 * s1 + d3 * c1,
          T(l.h) - a3 * s23 - d4 * c23 - a2 * s2};
}

// Its motion when the joints move so, by dual numbers of dual numbers.
PointMotion<double> wrist_motion(const PositioningLengths& l, const std::array<double, 3>& q,
                                 const std::array<double, 3>& v, const std::array<double, 3>& a) {
  using D = Dual<1>;
  using DD = Dual<1, D>;
  std::array<DD, 3> moving;
  for (int k = 0; k < 3; ++k) {  // q + v t + a t²/2
    moving[k].value.value = q[k];
    moving[k].value.d[0] = v[k];
    moving[k].d[0].value = v[k];
    moving[k].d[0].d[0] = a[k];
  }
  const Vec3<DD> p = wrist(l, moving);
  auto each = [&p](auto part) { return Vec3<double>{part(p.x), part(p.y), part(p.z)}; };
  return {each([](const DD& x) { return x.value.value; }),
          each([](const DD& x) { return x.d[0].value; }),
          each([](const DD& x) { return x.d[0].d[0]; })};
}

const PositioningLengths dynamics_lengths{
    .a2 = 0.4318, .a3 = -0.0203, .d3 = 0.1501, .d4 = 0.4331, .h = 0.3};

}  // namespace

// px = 0.3, py = pz = z, at z = −0.0285 with ż = 0.35: the instant of the thesis' friction study.
TEST(PositioningIk, TheCaseStudysInstant) {
  const double z = -0.0285;
  const auto s =
      positioning_ik<double>(dhanaraj_positioning, {{0.3, z, z}, {0, 0.35, 0.35}, {}}, 1, 1);
  const double q[] = {-0.529744, -1.143094, 0.923217}, v[] = {1.105186, -1.341852, 0.177368},
               a[] = {0.862853, 0.238617, -2.136609};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(s.q[k], q[k], 6e-7);
    EXPECT_NEAR(s.v[k], v[k], 6e-7);
    EXPECT_NEAR(s.a[k], a[k], 6e-7);
  }
  EXPECT_GT(s.reach, 0);
}

TEST(PositioningIk, FourBranchesEachMoveTheWristAsAsked) {
  Rng rng(3);
  for (const PositioningLengths& l : {dhanaraj_positioning, dynamics_lengths})
    for (int trial = 0; trial < 2000; ++trial) {
      std::array<double, 3> q, v, a;
      for (int k = 0; k < 3; ++k) {
        q[k] = uniform(rng, -3, 3);
        v[k] = uniform(rng, -2, 2);
        a[k] = uniform(rng, -5, 5);
      }
      const PointMotion<double> at = wrist_motion(l, q, v, a);
      double nearest = 1;
      for (double shoulder : {-1.0, 1.0})
        for (double elbow : {-1.0, 1.0}) {
          const auto s = positioning_ik<double>(l, at, shoulder, elbow);
          ASSERT_GT(s.reach, -1e-12);
          const PointMotion<double> back = wrist_motion(l, s.q, s.v, s.a);
          EXPECT_LT(norm(back.p - at.p), 1e-12);
          if (std::abs(s.determinant) < 1e-3) continue;  // near a singularity rates are large
          EXPECT_LT(norm(back.v - at.v), 1e-11);
          EXPECT_LT(norm(back.a - at.a), 1e-9);
          double off = 0;
          for (int k = 0; k < 3; ++k)
            off += std::abs(std::remainder(s.q[k] - q[k], 2 * std::numbers::pi)) +
                   std::abs(s.v[k] - v[k]) + std::abs(s.a[k] - a[k]);
          nearest = std::min(nearest, off);
        }
      const auto s = positioning_ik<double>(l, at, 1, 1);
      if (std::abs(s.determinant) > 1e-3) {
        EXPECT_LT(nearest, 1e-8) << "no branch is the motion itself";
      }
    }
}

TEST(PositioningIk, OutOfReachIsSaidAndNoNumberIsLost) {
  for (const Vec3<double>& p : {Vec3<double>{2, 0, 0}, Vec3<double>{0.05, 0, 0.3}}) {
    const auto s = positioning_ik<double>(dhanaraj_positioning, {p, {}, {}}, 1, 1);
    EXPECT_LT(s.reach, 0);
    for (double x : s.q) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(PositioningIk, ItsCost) {
  Counted::reset();
  positioning_ik<Counted>(dhanaraj_positioning,
                          {{Counted(0.3), Counted(0.1), Counted(0.2)}, {}, {}}, Counted(1.0),
                          Counted(1.0));
  const OperationCount n = Counted::count();
  EXPECT_EQ(n.sin_cos, 3);
  EXPECT_EQ(n.atan2, 4);
  EXPECT_EQ(n.square_roots, 2);
  EXPECT_EQ(n.divisions, 6);
}
