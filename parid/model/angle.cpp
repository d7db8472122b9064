#include "parid/model/angle.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace parid {
namespace {

// sum    = product { (+|-) product }
// product = factor { (*|/) factor }
// factor = { +|- } ( number | pi | "(" sum ")" ) [ deg ]
class AngleText {
 public:
  explicit AngleText(std::string_view text) : rest(text) {}

  std::optional<double> value() {
    const double v = sum();
    skip_spaces();
    if (wrong || !rest.empty() || !std::isfinite(v)) return {};
    return v;
  }

 private:
  std::string_view rest;
  bool wrong = false;
  int depth = 0;

  void skip_spaces() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip_spaces();
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  double sum() {
    double v = product();
    while (!wrong) {
      if (take("+"))
        v += product();
      else if (take("-"))
        v -= product();
      else
        break;
    }
    return v;
  }
  double product() {
    double v = factor();
    while (!wrong) {
      if (take("*"))
        v *= factor();
      else if (take("/"))
        v /= factor();
      else
        break;
    }
    return v;
  }
  double factor() {
    if (++depth > 100) wrong = true;  // "((((…": no angle needs it
    double v = 0;
    if (wrong) return v;
    if (take("-"))
      v = -factor();
    else if (take("+"))
      v = factor();
    else
      v = atom();
    --depth;
    return v;
  }
  double atom() {
    double v = 0;
    skip_spaces();
    if (take("(")) {
      v = sum();
      if (!take(")")) wrong = true;
    } else if (take("pi") || take("π")) {
      v = std::numbers::pi;
    } else {
      // from_chars also reads "inf" and "nan"; an angle begins with a digit or a point.
      const bool digit = !rest.empty() && ((rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.');
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), v);
      if (!digit || error != std::errc()) {
        wrong = true;
        return 0;
      }
      rest.remove_prefix(end - rest.data());
    }
    if (take("deg") || take("°")) v = v * std::numbers::pi / 180;
    return v;
  }
};

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

std::optional<double> parse_angle(std::string_view text) { return AngleText(text).value(); }

SinCos<double> exact_sin_cos(double angle) {
  const double quarters = std::round(angle / (std::numbers::pi / 2));
  const double off = std::abs(angle - quarters * (std::numbers::pi / 2));
  if (off > 1e-15 * std::max(1.0, std::abs(angle))) return {std::sin(angle), std::cos(angle)};
  switch (static_cast<int>(std::fmod(quarters, 4)) & 3) {  // & 3: -1 is 3 quarters
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
