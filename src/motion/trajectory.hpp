// A motion in continuous time: exact positions, velocities and accelerations at any instant. What a
// Trajectory samples.
//
// A path is a course too: one whose time is how far along it is. Running it by another clock s(t)
// is
//
//   q(s(t)),   v = v(s) ṡ,   a = a(s) ṡ² + v(s) s̈
//
// for every kind of joint, because v is a linear image of q's change and a is v's own derivative.

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
  // Instants on its way at which one part ends and another begins: the path may turn a corner
  // there.
  virtual std::vector<double> seams() const { return {}; }
};
using TrajectoryPointer = std::shared_ptr<const Trajectory>;

// A path of length 1 run by a profile.
TrajectoryPointer timed(TrajectoryPointer path, const Profile&);

// One after the other. Each must start where the one before ends. At a seam the later one speaks.
TrajectoryPointer sequence(std::vector<TrajectoryPointer>);

// Standing still.
TrajectoryPointer standing(std::vector<double> q, double duration);

// At 0, 1/rate, 2/rate, …, and at the end whether or not it falls on one of them.
SampledTrajectory sampled(const Robot&, const Trajectory&, double rate);
// At `samples` instants evenly from start to end; one alone is the start.
SampledTrajectory sampled_evenly(const Robot&, const Trajectory&, std::size_t samples);
// At every seam, at every instant at which the motion turns back in all coordinates at once, and
// evenly between those, by steps of at most 1/rate. What gives a path another pace must see each of
// its stops.
SampledTrajectory sampled_by_parts(const Robot&, const Trajectory&, double rate);

}  // namespace parid::motion
