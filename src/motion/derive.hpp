// Velocities and accelerations from positions, by splines.

#pragma once

#include <vector>

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

// First and second derivatives at the knots of the cubic spline through (t, x) with not-a-knot
// ends. Needs at least four points.
struct Derivatives {
  std::vector<double> first, second;
};
Derivatives spline_derivatives(const std::vector<double>& t, const std::vector<double>& x);

// Computes missing v (from q) and a (from v if given, else from q). Sign changes of quaternions and
// jumps of continuous joints by whole turns between samples are not treated as motion.
void derive_motion(const Robot&, SampledTrajectory&, bool have_v, bool have_a);

}  // namespace parid::motion
