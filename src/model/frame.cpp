#include "model/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace parid::model {
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

double in_few_digits(double angle) {
  const double quarters = angle / (std::numbers::pi / 2);
  if (quarters == std::round(quarters)) return angle;  // a right angle is exact already
  return std::strtod(fmt::format("{:.14g}", angle).c_str(), nullptr);
}

// A power of two near the largest entry: scaling by it is exact.
double scale_of(const Vec3<double>& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1;
}
Vec3<double> divided(const Vec3<double>& v, double s) { return {v.x / s, v.y / s, v.z / s}; }

}  // namespace

double length_of(const Vec3<double>& v) {
  const double scale = scale_of(v);
  return scale * norm(divided(v, scale));
}
Vec3<double> unit_vector(const Vec3<double>& v) {
  const Vec3<double> near = divided(v, scale_of(v));
  return (1 / norm(near)) * near;
}

std::optional<int> right_angles(double angle) {
  // The allowance grows with the angle. At 1e15 rad it would accept every number.
  constexpr double most = 100;
  const double quarters = std::round(angle / (std::numbers::pi / 2));
  const double off = std::abs(angle - quarters * (std::numbers::pi / 2));
  if (!(std::abs(quarters) <= most && off <= 1e-15 * std::max(1.0, std::abs(angle)))) return {};
  return static_cast<int>(quarters);
}

SinCos<double> exact_sin_cos(double angle) {
  const std::optional<int> quarters = right_angles(angle);
  if (!quarters) return {std::sin(angle), std::cos(angle)};
  switch (*quarters & 3) {  // & 3: -1 is 3 quarters
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

double difference(const Mat3<double>& A, const Mat3<double>& B) {
  auto most = [](const Vec3<double>& a, const Vec3<double>& b) {
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
  };
  return std::max({most(A.r0, B.r0), most(A.r1, B.r1), most(A.r2, B.r2)});
}

Vec3<double> rpy_of(const Mat3<double>& R) {
  // If pitch is a right angle, yaw and roll rotate about one axis and any yaw will do, if roll is
  // then read from the rest: R = RotZ(yaw) A, and A has the rows (…), (0, cos roll, -sin roll),
  // (…).
  const double yaw = to_right_angle(std::atan2(R.r1.x, R.r0.x));
  const Mat3<double> A = transposed(rotation_z(exact_sin_cos(yaw))) * R;
  const Vec3<double> rpy{to_right_angle(std::atan2(-A.r1.z, A.r1.y)),
                         to_right_angle(std::atan2(-A.r2.x, A.r0.x)), yaw};
  // Users give angles with few digits; if those give the same matrix, they are used.
  const Vec3<double> plain{in_few_digits(rpy.x), in_few_digits(rpy.y), in_few_digits(rpy.z)};
  return difference(rotation_rpy(plain), R) < 4e-16 ? plain : rpy;
}

double to_right_angle(double x) {
  const double right = std::round(x / (std::numbers::pi / 2)) * (std::numbers::pi / 2);
  return std::abs(x - right) < 1e-14 ? right : x;
}

}  // namespace parid::model
