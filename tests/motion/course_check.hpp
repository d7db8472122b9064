// Is a course's velocity the derivative of its positions, and its acceleration that of its
// velocity? By central differences; quaternions through their rotations.

#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "model/joint/coordinates.hpp"
#include "motion/derive.hpp"
#include "motion/trajectory.hpp"
#include "tests/layer.hpp"

namespace parid::test {

struct Moment {
  std::vector<double> q, v, a;
};
inline Moment moment(const Robot& robot, const Trajectory& trajectory, double t) {
  Moment m{std::vector<double>(robot.nq()), std::vector<double>(robot.nv()),
           std::vector<double>(robot.nv())};
  trajectory.at(t, m.q, m.v, m.a);
  return m;
}

// The instants must keep `h` away from seams.
inline void expect_derivatives(const Robot& robot, const Trajectory& trajectory, double t,
                               double tolerance = 1e-7, double h = 1e-4) {
  // Five instants around t and the spline through them are exact enough, for every kind of joint.
  SampledTrajectory near;
  near.rows = 5;
  std::vector<double> v;
  for (int k = -2; k <= 2; ++k) {
    const Moment m = moment(robot, trajectory, t + k * h);
    near.t.push_back(t + k * h);
    near.q.insert(near.q.end(), m.q.begin(), m.q.end());
    v.insert(v.end(), m.v.begin(), m.v.end());
  }
  derive_motion(robot, near, false, false);
  const Moment here = moment(robot, trajectory, t);
  const std::size_t nv = robot.nv();
  for (std::size_t k = 0; k < nv; ++k) {
    EXPECT_NEAR(near.v[2 * nv + k], here.v[k], tolerance) << "velocity " << k << " at " << t;
    const double rate = (v[k] - 8 * v[nv + k] + 8 * v[3 * nv + k] - v[4 * nv + k]) / (12 * h);
    EXPECT_NEAR(rate, here.a[k], 10 * tolerance) << "acceleration " << k << " at " << t;
  }
}

}  // namespace parid::test
