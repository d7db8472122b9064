// Velocities and accelerations from positions, by splines.

#pragma once

#include <functional>
#include <vector>

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"
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

// The same with other derivatives: of the values x of position coordinate k, at all instants, which
// the function may smooth for the computation of v and a. Positions are not rewritten.
using Differentiate = std::function<Derivatives(std::vector<double>& x, int k)>;
void derive_motion(const Robot&, SampledTrajectory&, const Differentiate&);

// Calls a function with the values of each position coordinate k, continuous in time: without jumps
// of continuous joints by whole turns and without sign changes of quaternions. What the function
// writes becomes the position.
void continuous_positions(const Robot&, SampledTrajectory&,
                          const std::function<void(std::vector<double>& x, int k)>&);

// The first and the second derivative of a at samples, for torques of elastic joints; (rows, nv).
struct HigherDerivatives {
  std::vector<double> jerk, snap;
  // The largest change of an acceleration between two samples that jerk and snap do not explain, as
  // a share of the coordinate's largest acceleration, the coordinate, and the first of both
  // samples. Large where accelerations jump: the motor of an elastic joint cannot follow.
  double jump = 0;
  int coordinate = -1;
  std::size_t row = 0;
};
// Exact where the trajectory has formulas for them, else from differences of its exact
// accelerations. t are instants of the trajectory, a (rows, nv) its accelerations there.
HigherDerivatives higher_derivatives(const Trajectory&, const SampledTrajectory&);
// By cubic splines through the accelerations, for motions that are samples only. Throws Error for
// fewer than four samples and for samples without times.
HigherDerivatives higher_derivatives(const SampledTrajectory&);

}  // namespace parid::motion
