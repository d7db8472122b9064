#include "motion/path/pose_path.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "parid/error.hpp"

namespace parid::motion {

Mat3<double> rotation_about(const Vec3<double>& turn) {
  const double angle = norm(turn);
  const double f = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  return rotation_of(f * turn.x, f * turn.y, f * turn.z, std::cos(angle / 2));
}

Vec3<double> turn_between(const Mat3<double>& from, const Mat3<double>& to) {
  const Mat3<double> D = to * transposed(from);
  const Vec3<double> u{D.r2.y - D.r1.z, D.r0.z - D.r2.x, D.r1.x - D.r0.y};  // 2 sin · axis
  const double sine = norm(u), cosine = D.r0.x + D.r1.y + D.r2.z - 1;       // both twice
  if (cosine > 0 || sine > 1e-4) return sine > 0 ? (std::atan2(sine, cosine) / sine) * u : u;
  // Near half a turn the axis is along the longest column of D + Dᵀ.
  const Mat3<double> S = D + transposed(D) - cosine * Mat3<double>::identity();
  Vec3<double> axis = S.column(0);
  for (int k = 1; k < 3; ++k)
    if (norm(S.column(k)) > norm(axis)) axis = S.column(k);
  const double sign = dot(axis, u) < 0 ? -1 : 1;
  return (sign * std::atan2(sine, cosine) / norm(axis)) * axis;
}

PosePath PosePath::line(const Pose<double>& from, const Pose<double>& to) {
  PosePath path;
  path.from = from.p;
  path.way = to.p - from.p;
  path.rotation = from.R;
  path.turn = turn_between(from.R, to.R);
  return path;
}

PosePath PosePath::through(const Pose<double>& from, const Vec3<double>& through,
                           const Pose<double>& to) {
  PosePath path = line(from, to);
  const Vec3<double> b = through - from.p, c = to.p - from.p, n = cross(b, c);
  const double bb = dot(b, b), cc = dot(c, c), nn = dot(n, n);
  if (!(nn > 1e-16 * bb * cc) || nn == 0)
    throw Error(fmt::format(
        "the three points of the arc, ({:.4g} {:.4g} {:.4g}), ({:.4g} {:.4g} {:.4g}) and ({:.4g} "
        "{:.4g} {:.4g}), are collinear; move the middle point, or use a line",
        from.p.x, from.p.y, from.p.z, through.x, through.y, through.z, to.p.x, to.p.y, to.p.z));
  // From the first point to the centre: n × (|c|² b − |b|² c) / 2|n|².
  const Vec3<double> to_centre = (1 / (2 * nn)) * cross(n, cc * b - bb * c);
  path.arc = true;
  path.centre = from.p + to_centre;
  path.radius = from.p - path.centre;
  // About n the arc runs from the first point over the middle one to the last.
  const Vec3<double> unit = (1 / std::sqrt(nn)) * n, last = to.p - path.centre;
  double angle = std::atan2(dot(unit, cross(path.radius, last)), dot(path.radius, last));
  if (angle <= 0) angle += 2 * std::numbers::pi;
  path.axis = angle * unit;
  return path;
}

double PosePath::length() const { return arc ? norm(axis) * norm(radius) : norm(way); }

PoseRates PosePath::at(double s) const {
  PoseRates out;
  if (arc) {
    const Vec3<double> r = rotation_about(s * axis) * radius;
    out.pose.p = centre + r;
    out.v = cross(axis, r);
    out.a = cross(axis, out.v);
  } else {
    out.pose.p = from + s * way;
    out.v = way;
  }
  out.pose.R = rotation_about(s * turn) * rotation;
  out.w = turn;
  return out;
}

}  // namespace parid::motion
