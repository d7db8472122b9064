// The same path at another pace, so that the motors' torques and speeds stay inside their limits:
// what a trajectory planner does about saturation.
//
// Samples stay where they are on the path; their instants, velocities and accelerations change. How
// torques follow from a motion is the caller's to say, so that whatever acts on the robot is
// counted.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "motion/layer.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

// Torques (rows, nv) of a motion: the Engine, or anything else that is quadratic in speed. Friction
// that depends on the sign of a velocity is not.
using TorquesAlong = std::function<std::vector<double>(const SampledTrajectory&)>;

struct TimeScaling {
  SampledTrajectory motion;  // re-timed
  double factor = 1;         // its duration over the one before

  // What keeps it from going faster: for each limit that is reached, where first.
  struct Binding {
    std::string coordinate;
    std::string kind;  // "velocity", "effort"
    std::size_t row;
    std::size_t rows;  // how many samples reach it
  };
  std::vector<Binding> binding;
};

// Every instant times one factor, the least for which the limits hold at every sample. With
// τ = τ₀ + c τ₁ + c² τ₂ at speed c, from three evaluations, that is a root of a quadratic. With
// `never_faster` a motion that is inside its limits stays as it is. Throws Error where gravity
// alone breaks a limit, naming coordinate and sample, and where there is no limit that any speed
// would reach.
TimeScaling scaled_uniformly(const Robot&, const SampledTrajectory&, const TorquesAlong&,
                             bool never_faster = false);

// The fastest motion along the path, from rest to rest, for which the limits hold at every sample:
// reachability analysis. Between samples the acceleration along the path is constant, and the
// limits hold for it at both ends. Where the motion stops on its way it stops again (the path may
// have a corner there); it does not wait. A stop must be a sample (sampled_by_parts sees to that).
// Throws Error where the path turns a corner between samples, where no motion along the path keeps
// to the limits, where the motion has no instants or does not start and end at rest, and where
// torques depend on the direction of travel.
TimeScaling scaled_optimally(const Robot&, const SampledTrajectory&, const TorquesAlong&);

}  // namespace parid::motion
