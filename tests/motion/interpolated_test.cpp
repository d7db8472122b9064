#include "motion/interpolated.hpp"

#include <gtest/gtest.h>

#include "parid/error.hpp"
#include "tests/layer.hpp"
#include "tests/motion/course_check.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

// Two sleds, three samples at uneven instants.
struct Sampled {
  Robot robot =
      robot_of("[[joint]]\nname = 'a'\ntype = 'prismatic'\naxis = [1, 0, 0]\n" + body_text +
               "[[joint]]\nname = 'b'\ntype = 'prismatic'\naxis = [0, 1, 0]\n" + body_text);
  SampledTrajectory m;
  Sampled() {
    m.rows = 3;
    m.t = {10, 11, 13};
    m.q = {0, 5, 1, 4, 5, 8};
    m.v = {0, 1, 2, -1, 1, 0.5};
    m.a = {3, 0, 1, -2, 7, 4};
  }
};

TEST(Interpolated, IsTheSamplesAtTheirInstantsAndRestsOnTheLast) {
  const Sampled s;
  const TrajectoryPointer trajectory = interpolated(s.robot, s.m);
  EXPECT_EQ(trajectory->duration(), 3);
  for (const auto& [t, row] : {std::pair(0.0, 0), {1.0, 1}, {3.0, 2}, {4.0, 2}, {-1.0, 0}}) {
    const Moment at = moment(s.robot, *trajectory, t);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(at.q[k], s.m.q[2 * row + k], 1e-15) << t;
      EXPECT_EQ(at.v[k], s.m.v[2 * row + k]) << t;
      EXPECT_EQ(at.a[k], s.m.a[2 * row + k]) << t;
    }
  }
}

// Half of the way: (q0 + q1)/2 + h (v0 − v1)/8; velocities and accelerations in the middle.
TEST(Interpolated, BetweenSamplesPositionsAreCubics) {
  const Sampled s;
  const Moment at = moment(s.robot, *interpolated(s.robot, s.m), 2);
  for (int k = 0; k < 2; ++k) {
    const double *q = &s.m.q[2 + k], *v = &s.m.v[2 + k], *a = &s.m.a[2 + k];
    EXPECT_NEAR(at.q[k], (q[0] + q[2]) / 2 + 2 * (v[0] - v[2]) / 8, 1e-15);
    EXPECT_NEAR(at.v[k], (v[0] + v[2]) / 2, 1e-15);
    EXPECT_NEAR(at.a[k], (a[0] + a[2]) / 2, 1e-15);
  }
}

TEST(Interpolated, NeedsInstants) {
  Sampled s;
  s.m.t.clear();
  EXPECT_THROW(interpolated(s.robot, s.m), Error);
}

}  // namespace
}  // namespace parid::test
