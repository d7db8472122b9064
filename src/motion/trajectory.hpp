// A motion in continuous time: exact positions, velocities and accelerations at any instant.
//
// A path is a Trajectory too: its time is the distance along it. With another clock s(t) it is
//
//   q(s(t)),   v = v(s) ṡ,   a = a(s) ṡ² + v(s) s̈
//
// for every kind of joint, because v is linear in the rate of q and a is the derivative of v.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "motion/layer.hpp"
#include "motion/profile.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::motion {

class Trajectory {
 public:
  virtual ~Trajectory() = default;
  virtual double duration() const = 0;
  // At t in [0, duration()]. Sizes: q nq, the others nv. May be called from several threads.
  virtual void at(double t, std::span<double> q, std::span<double> v,
                  std::span<double> a) const = 0;
  // The first and the second derivative of a, for torques of elastic joints; nv numbers each. By
  // default from differences of a within the part between two seams.
  virtual void higher(double t, std::span<double> jerk, std::span<double> snap) const;
  // Instants at which one part ends and another begins: the path may have a corner there.
  virtual std::vector<double> seams() const { return {}; }
};
using TrajectoryPointer = std::shared_ptr<const Trajectory>;

// A path of length 1 run by a profile.
TrajectoryPointer timed(TrajectoryPointer path, const Profile&);

// Parts in sequence. Each must start where the previous one ends. At a seam the later part's values
// are returned.
TrajectoryPointer sequence(std::vector<TrajectoryPointer>);

// A robot at rest at q.
TrajectoryPointer standing(std::vector<double> q, double duration);

// At 0, 1/rate, 2/rate, …, and at the end even if it is not a multiple of 1/rate.
SampledTrajectory sampled(const Robot&, const Trajectory&, double rate);
// At `samples` evenly spaced instants from start to end; a single one is the start.
SampledTrajectory sampled_evenly(const Robot&, const Trajectory&, std::size_t samples);
// At every seam, at every instant at which all velocities change sign together, and evenly between
// those, in steps of at most 1/rate. Re-timing needs a sample at each stop.
SampledTrajectory sampled_by_parts(const Robot&, const Trajectory&, double rate);

}  // namespace parid::motion
