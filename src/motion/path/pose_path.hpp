// The path of a frame in space: its pose and derivatives at s in [0, 1], per unit of s, in the root
// link's frame.

#pragma once

#include "math/pose.hpp"
#include "motion/layer.hpp"

namespace parid::motion {

struct PoseRates {
  Pose<double> pose;
  Vec3<double> v, a;   // of the origin
  Vec3<double> w, wd;  // of the turning
};

struct PosePath {
  // The origin moves along a line or an arc of a circle.
  Vec3<double> from, way;             // straight: from + s way
  Vec3<double> centre, radius, axis;  // arc: radius rotates about axis, whose length is the angle
  bool arc = false;
  // Meanwhile the frame rotates about a fixed axis at a constant rate.
  Mat3<double> rotation = Mat3<double>::identity();  // at the start
  Vec3<double> turn;                                 // in the root's axes

  // From one pose to another with the shortest rotation.
  static PosePath line(const Pose<double>& from, const Pose<double>& to);
  // Through a point. Throws Error if the three points are collinear or not distinct.
  static PosePath through(const Pose<double>& from, const Vec3<double>& through,
                          const Pose<double>& to);

  double length() const;  // of the origin's way, m
  double angle() const { return norm(turn); }
  PoseRates at(double s) const;
};

// The rotation vector from `from` to `to`, in the axes in which both are given; at most half a
// turn.
Vec3<double> turn_between(const Mat3<double>& from, const Mat3<double>& to);
// The rotation by |turn| about the direction of `turn`.
Mat3<double> rotation_about(const Vec3<double>& turn);

}  // namespace parid::motion
