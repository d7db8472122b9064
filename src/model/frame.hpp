// Frames from Denavit-Hartenberg parameters and from angles, with exact zeros for right
// angles.

#pragma once

#include <optional>

#include "math/pose.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Sine and cosine; within 1e-15 (relative) of a multiple of pi/2 they are exactly 0 and ±1, so that
// matrices are as sparse as the robot. Beyond 25 turns no multiple is assumed.
SinCos<double> exact_sin_cos(double angle);
// The number of right angles, if an angle is a multiple of pi/2 up to rounding.
std::optional<int> right_angles(double angle);

// A vector's length, and its unit vector, without overflow or underflow of squares. All entries of
// the unit vector of a zero vector are NaN.
double length_of(const Vec3<double>&);
Vec3<double> unit_vector(const Vec3<double>&);

// Modified (Craig) frames, and standard frames of Denavit and Hartenberg.
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
// The angles that reproduce R up to rounding, in all positions; right angles exactly.
Vec3<double> rpy_of(const Mat3<double>& R);
// The largest absolute entry.
double difference(const Mat3<double>&, const Mat3<double>&);
// Rounds an angle that differs from a right angle by rounding errors.
double to_right_angle(double);

}  // namespace parid::model
