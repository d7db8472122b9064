// Is a course's velocity the derivative of its positions, and its acceleration that of its velocity?
// By central differences; quaternions through their rotations.

#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "parid/model/coordinates.hpp"
#include "parid/motion/course.hpp"
#include "parid/motion/derive.hpp"

namespace parid {

struct Moment {
  std::vector<double> q, v, a;
};
inline Moment moment(const Robot& robot, const Course& course, double t) {
  Moment m{std::vector<double>(robot.nq()), std::vector<double>(robot.nv()),
           std::vector<double>(robot.nv())};
  course.at(t, m.q, m.v, m.a);
  return m;
}

// The instants must keep `h` away from seams.
inline void expect_derivatives(const Robot& robot, const Course& course, double t,
                               double tolerance = 1e-7, double h = 1e-4) {
  // Five instants around t and the spline through them are exact enough, for every kind of joint.
  Trajectory near;
  near.rows = 5;
  std::vector<double> v;
  for (int k = -2; k <= 2; ++k) {
    const Moment m = moment(robot, course, t + k * h);
    near.t.push_back(t + k * h);
    near.q.insert(near.q.end(), m.q.begin(), m.q.end());
    v.insert(v.end(), m.v.begin(), m.v.end());
  }
  derive_motion(robot, near, false, false);
  const Moment here = moment(robot, course, t);
  const std::size_t nv = robot.nv();
  for (std::size_t k = 0; k < nv; ++k) {
    EXPECT_NEAR(near.v[2 * nv + k], here.v[k], tolerance) << "velocity " << k << " at " << t;
    const double rate = (v[k] - 8 * v[nv + k] + 8 * v[3 * nv + k] - v[4 * nv + k]) / (12 * h);
    EXPECT_NEAR(rate, here.a[k], 10 * tolerance) << "acceleration " << k << " at " << t;
  }
}

}  // namespace parid
