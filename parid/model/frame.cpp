#include "parid/model/frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace parid {
namespace {

Pose<double> tidy(Pose<double> A) {  // -0 becomes 0
  for (Vec3<double>* v : {&A.R.r0, &A.R.r1, &A.R.r2, &A.p}) {
    v->x += 0.0;
    v->y += 0.0;
    v->z += 0.0;
  }
  return A;
}
Pose<double> turn_and_shift_x(double alpha, double a) {  // they commute
  return {rotation_x(exact_sin_cos(alpha)), {a, 0, 0}};
}
Pose<double> turn_and_shift_z(double theta, double d) {
  return {rotation_z(exact_sin_cos(theta)), {0, 0, d}};
}

}  // namespace

SinCos<double> exact_sin_cos(double angle) {
  const double quarters = std::round(angle / (std::numbers::pi / 2));
  const double off = std::abs(angle - quarters * (std::numbers::pi / 2));
  if (off > 1e-15 * std::max(1.0, std::abs(angle))) return {std::sin(angle), std::cos(angle)};
  switch (static_cast<int>(std::fmod(quarters, 4)) & 3) {  // & 3: -1 is 3 quarters
    case 0: return {0, 1};
    case 1: return {1, 0};
    case 2: return {0, -1};
    default: return {-1, 0};
  }
}

Pose<double> modified_pose(const DenavitHartenberg& dh) {
  return tidy(turn_and_shift_x(dh.alpha, dh.a) * turn_and_shift_z(dh.theta, dh.d));
}
Pose<double> standard_pose(const DenavitHartenberg& dh) {
  return tidy(turn_and_shift_z(dh.theta, dh.d) * turn_and_shift_x(dh.alpha, dh.a));
}

Mat3<double> rotation_rpy(const Vec3<double>& rpy) {
  const Mat3<double> R = rotation_z(exact_sin_cos(rpy.z)) * rotation_y(exact_sin_cos(rpy.y)) *
                         rotation_x(exact_sin_cos(rpy.x));
  return tidy({R, {}}).R;
}

}  // namespace parid
