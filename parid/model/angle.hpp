// Angles as robot files give them.

#pragma once

#include <cmath>
#include <numbers>

#include "parid/math/mat3.hpp"

namespace parid {

// A right angle written to full precision means a right angle: its sine and cosine are exactly 0
// and ±1, so that matrices stay sparse. One written to fewer digits (1.5708) is taken at its word.
inline SinCos<double> file_sin_cos(double angle) {
  constexpr double right = std::numbers::pi / 2;
  const double turns = std::round(angle / right);
  if (std::abs(angle - turns * right) > 1e-15) return sin_cos(angle);
  switch ((static_cast<int>(std::fmod(turns, 4)) + 4) % 4) {
    case 0:
      return {0, 1};
    case 1:
      return {1, 0};
    case 2:
      return {0, -1};
    default:
      return {-1, 0};
  }
}

// Fixed axes: roll about x, then pitch about y, then yaw about z.
inline Mat3<double> rotation_of_rpy(const Vec3<double>& rpy) {
  const Mat3<double> R = rotation_z(file_sin_cos(rpy.z)) * rotation_y(file_sin_cos(rpy.y)) *
                         rotation_x(file_sin_cos(rpy.x));
  const Vec3<double> zero;  // x + 0 turns -0 into 0, which prints better
  return {R.r0 + zero, R.r1 + zero, R.r2 + zero};
}

}  // namespace parid
