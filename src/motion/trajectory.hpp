// A motion in continuous time: exact positions, velocities and accelerations at any instant. What a
// Trajectory samples.
//
// A path is a course too: one whose time is how far along it is. Running it by another clock s(t) is
//
//   q(s(t)),   v = v(s) ṡ,   a = a(s) ṡ² + v(s) s̈
//
// for every kind of joint, because v is a linear image of q's change and a is v's own derivative.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parid/motion/profile.hpp"
#include "parid/motion/trajectory.hpp"

namespace parid {

class Course {
 public:
  virtual ~Course() = default;
  virtual double duration() const = 0;
  // At t in [0, duration()]. Sizes: q nq, the others nv. May be called from several threads.
  virtual void at(double t, std::span<double> q, std::span<double> v,
                  std::span<double> a) const = 0;
  // Instants on its way at which one part ends and another begins: the path may turn a corner there.
  virtual std::vector<double> seams() const { return {}; }
};
using CoursePointer = std::shared_ptr<const Course>;

// A path of length 1 run by a profile.
CoursePointer timed(CoursePointer path, const Profile&);

// One after the other. Each must start where the one before ends. At a seam the later one speaks.
CoursePointer sequence(std::vector<CoursePointer>);

// Standing still.
CoursePointer standing(std::vector<double> q, double duration);

// At 0, 1/rate, 2/rate, …, and at the end whether or not it falls on one of them.
Trajectory sampled(const Robot&, const Course&, double rate);
// At `samples` instants evenly from start to end; one alone is the start.
Trajectory sampled_evenly(const Robot&, const Course&, std::size_t samples);
// At every seam, at every instant at which the motion turns back in all coordinates at once, and evenly
// between those, by steps of at most 1/rate. What gives a path another pace must see each of its stops.
Trajectory sampled_by_parts(const Robot&, const Course&, double rate);

}  // namespace parid
