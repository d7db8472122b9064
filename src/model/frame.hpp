// Frames from Denavit-Hartenberg parameters and from angles, with the zeros that right angles
// promise.

#pragma once

#include <optional>

#include "math/pose.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Sine and cosine; within 1e-15 (relative) of a multiple of pi/2 they are exactly 0 and ±1, so that
// matrices built from them are sparse where the robot is. Beyond 25 turns no multiple is meant.
SinCos<double> exact_sin_cos(double angle);
// How many right angles an angle is, where it is a multiple of pi/2 to rounding.
std::optional<int> right_angles(double angle);

// A vector's length, and the vector of length 1 along it, without overflow or underflow of squares.
// A zero vector has no direction: all entries of its unit vector are NaN.
double length_of(const Vec3<double>&);
Vec3<double> unit_vector(const Vec3<double>&);

// Craig's ("modified") frames, and the standard ones of Denavit and Hartenberg.
//   modified  RotX(alpha) TransX(a) RotZ(theta) TransZ(d)
//   standard  RotZ(theta) TransZ(d) TransX(a) RotX(alpha)
struct DenavitHartenberg {
  double a = 0, alpha = 0, d = 0, theta = 0;
};
Pose<double> modified_pose(const DenavitHartenberg&);
Pose<double> standard_pose(const DenavitHartenberg&);

// Roll about x, then pitch about y, then yaw about z, all of the fixed frame, as URDF:
// RotZ(yaw) RotY(pitch) RotX(roll).
Mat3<double> rotation_rpy(const Vec3<double>& rpy);
// The angles that give R back to rounding, wherever it points; right ones exactly.
Vec3<double> rpy_of(const Mat3<double>& R);
// Of the entries, the largest.
double difference(const Mat3<double>&, const Mat3<double>&);
// An angle that differs from a right one by rounding is that right one.
double to_right_angle(double);

}  // namespace parid::model
