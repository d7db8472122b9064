#include "model/format/mjcf/mjcf_frame.hpp"

#include <cctype>
#include <cmath>

#include "model/frame.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::model::mjcf {
namespace {

using V = Vec3<double>;

// Removes rounding errors of zeros and ones in a rotation composed of right angles.
double clean(double x) {
  return std::abs(x) < 4e-16 ? 0 : std::abs(std::abs(x) - 1) < 4e-16 ? std::copysign(1, x) : x;
}
V clean(const V& v) { return {clean(v.x), clean(v.y), clean(v.z)}; }
Mat3<double> clean(const Mat3<double>& A) { return {clean(A.r0), clean(A.r1), clean(A.r2)}; }

V direction(const Node& node, const char* attribute, const V& v) {
  if (const double length = length_of(v); !(length > 1e-14 && length < 1e100))
    node.fail(std::string("has an axis without a direction in '") + attribute + "'",
              "give a vector that is not zero");
  return unit_vector(v);
}

Mat3<double> of_columns(const V& x, const V& y, const V& z) {
  return transposed(Mat3<double>{x, y, z});
}

Mat3<double> of_quaternion(const Node& node, const std::vector<double>& q) {
  const double n = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(n > 1e-14 && n < 1e100))
    node.fail("has a 'quat' without a direction", "give w x y z, such as 1 0 0 0");
  return rotation_of(q[1] / n, q[2] / n, q[3] / n, q[0] / n);
}

}  // namespace

Mat3<double> euler_rotation(const std::array<double, 3>& angles, const Compiler& c) {
  Mat3<double> R = Mat3<double>::identity();
  for (int k = 0; k < 3; ++k) {
    const char axis = c.euler_sequence[k];
    const SinCos<double> a = exact_sin_cos(c.radians(angles[k]));
    const char letter = static_cast<char>(std::tolower(axis));
    const Mat3<double> turn = letter == 'x'   ? rotation_x(a)
                              : letter == 'y' ? rotation_y(a)
                                              : rotation_z(a);
    R = axis == letter ? R * turn : turn * R;  // a moving axis, or a fixed one
  }
  return R;
}

namespace {

Mat3<double> read_orientation(const Node& node, const Compiler& c) {
  const Element& own = node.element();
  constexpr const char* notations[] = {"axisangle", "xyaxes", "zaxis", "euler", "quat"};
  const char* notation = nullptr;
  for (const char* n : notations)  // the element's own values before its class's
    if (!notation && own.attribute(n)) notation = n;
  for (const char* n : notations)
    if (!notation && node.text(n)) notation = n;
  if (!notation) return Mat3<double>::identity();
  const std::string_view which = notation;
  if (which == "quat") return of_quaternion(node, *node.numbers("quat", 4, 4));
  if (which == "euler") {
    const auto n = *node.numbers("euler", 3, 3);
    return euler_rotation({n[0], n[1], n[2]}, c);
  }
  if (which == "zaxis") return turn_to(direction(node, "zaxis", *node.vector("zaxis")));
  if (which == "axisangle") {
    const auto n = *node.numbers("axisangle", 4, 4);
    return rotation_about(direction(node, "axisangle", {n[0], n[1], n[2]}), c.radians(n[3]));
  }
  const auto n = *node.numbers("xyaxes", 6, 6);
  const V x = direction(node, "xyaxes", {n[0], n[1], n[2]}), given{n[3], n[4], n[5]};
  const V y = direction(node, "xyaxes", given - dot(x, given) * x);
  return of_columns(x, y, cross(x, y));
}

}  // namespace

Mat3<double> turn_to(const V& z) {
  const V n = unit_vector(z);
  return plane_axes(n);
}

Mat3<double> rotation_about(const V& axis, double angle) {
  const SinCos<double> a = exact_sin_cos(angle);
  const Mat3<double> S = skew(axis);
  return Mat3<double>::identity() + a.sin * S + (1 - a.cos) * (S * S);
}

Pose<double> read_pose(const Node& node, const Compiler& c) {
  return {clean(read_orientation(node, c)), node.vector("pos").value_or(V{})};
}

}  // namespace parid::model::mjcf
