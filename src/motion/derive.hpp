// Velocities and accelerations from positions, by splines.

#pragma once

#include <vector>

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

// First and second derivatives, at the knots, of the cubic spline through (t, x); its ends are
// not-a-knot. Needs four points or more.
struct Derivatives {
  std::vector<double> first, second;
};
Derivatives spline_derivatives(const std::vector<double>& t, const std::vector<double>& x);

// Fills v (from q) and a (from v where that is given, else from q) where they are not there.
// Quaternions may change sign from one sample to the next, and positions of continuous joints may
// jump by whole turns: neither is a motion.
void derive_motion(const Robot&, SampledTrajectory&, bool have_v, bool have_a);

}  // namespace parid::motion
