// Re-timing: the same path at another speed, so that torques and speeds stay within their limits.
//
// Samples keep their positions on the path; their times, velocities and accelerations change. The
// caller supplies the function that computes torques, so that all loads on the robot are included.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

// Torques (rows, nv) of a motion: an Engine, or anything else that is quadratic in speed. Friction
// that depends on the sign of a velocity is not.
using TorquesAlong = std::function<std::vector<double>(const SampledTrajectory&)>;

struct TimeScaling {
  SampledTrajectory motion;  // re-timed
  double factor = 1;         // ratio of the new duration to the old one

  // The active limits: for each limit that is reached, the first sample.
  struct Binding {
    std::string coordinate;
    std::string kind;  // "velocity", "effort"
    std::size_t row;
    std::size_t rows;  // how many samples reach it
  };
  std::vector<Binding> binding;
};

// Multiplies all times by one factor, the least for which the limits hold at every sample. With τ =
// τ₀ + c τ₁ + c² τ₂ at speed c, from three evaluations, it is a root of a quadratic. With
// `never_faster` a motion within its limits is unchanged. Throws Error with coordinate and sample
// if gravity alone exceeds a limit, and if there is no limit that any speed would reach.
TimeScaling scaled_uniformly(const Robot&, const SampledTrajectory&, const TorquesAlong&,
                             bool never_faster = false);

// The fastest motion along the path, from rest to rest, for which the limits hold at every sample,
// by reachability analysis. Between samples the acceleration along the path is constant, and the
// limits hold for it at both ends. Stops of the motion remain stops (the path may have a corner
// there), without waiting time. A stop must be a sample (sampled_by_parts ensures that). Throws
// Error if the path has a corner between samples, if no motion along the path satisfies the limits,
// if the motion has no times or does not start and end at rest, and if torques depend on the
// direction of travel.
TimeScaling scaled_optimally(const Robot&, const SampledTrajectory&, const TorquesAlong&);

}  // namespace parid::motion
