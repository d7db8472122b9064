// Velocities and accelerations from positions, by splines.

#pragma once

#include <vector>

#include "parid/motion/trajectory.hpp"

namespace parid {

// First and second derivatives, at the knots, of the cubic spline through (t, x); its ends are
// not-a-knot. Needs four points or more.
struct Derivatives {
  std::vector<double> first, second;
};
Derivatives spline_derivatives(const std::vector<double>& t, const std::vector<double>& x);

// Fills v and a (from q), or a alone (from v) where v is there.
void derive_motion(const Robot&, Trajectory&, bool have_v);

}  // namespace parid
