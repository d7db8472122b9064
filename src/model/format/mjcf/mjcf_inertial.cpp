#include "model/format/mjcf/mjcf_inertial.hpp"

#include <algorithm>

#include "math/dense.hpp"
#include "model/format/mjcf/mjcf_frame.hpp"

namespace parid::model::mjcf {
namespace {

Sym3<double> scaled(double s, const Sym3<double>& I) {
  return {s * I.xx, s * I.yy, s * I.zz, s * I.xy, s * I.xz, s * I.yz};
}

// The same axes, moments of at least `least`; with `balance`, impossible moments are replaced by
// equal ones.
Sym3<double> bounded_moments(const Sym3<double>& I, double least, bool balance) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const PrincipalAxes principal = principal_axes(matrix);  // smallest first
  const Eigen::Vector3d p = principal.values.cwiseMax(least);
  const double mean = p.sum() / 3;
  if (balance && p[0] + p[1] < p[2]) return {mean, mean, mean, 0, 0, 0};
  if (principal.values[0] >= least) return I;
  const Eigen::Matrix3d raised = principal.vectors * p.asDiagonal() * principal.vectors.transpose();
  return {raised(0, 0), raised(1, 1), raised(2, 2), raised(0, 1), raised(0, 2), raised(1, 2)};
}

}  // namespace

Inertia explicit_inertia(const Node& tag, const Pose<double>& to_body, const Compiler& c) {
  const auto mass = tag.number("mass");
  if (!mass) tag.fail("has an <inertial> without 'mass'", "give its mass in kg");
  if (!tag.text("pos"))
    tag.fail("has an <inertial> without 'pos'", "give the centre of mass in the body's frame");
  const auto diagonal = tag.vector("diaginertia");
  const auto full = tag.numbers("fullinertia", 6, 6);
  if (diagonal && full) tag.fail("has both 'diaginertia' and 'fullinertia'", "keep one of them");
  Pose<double> at = read_pose(tag, c);
  Inertia inertia{*mass, {}, {}};
  if (diagonal) inertia.about_com = {diagonal->x, diagonal->y, diagonal->z, 0, 0, 0};
  if (full) {  // in the body's axes; `quat` is ignored
    const auto& I = *full;
    inertia.about_com = {I[0], I[1], I[2], I[3], I[4], I[5]};
    at.R = Mat3<double>::identity();
  }
  return moved(to_body * at, inertia);
}

std::optional<Inertia> bounded_inertia(const std::optional<Inertia>& given, const Vec3<double>& pos,
                                       const Compiler& c) {
  if (!given && !(c.least_mass > 0 || c.least_inertia > 0)) return {};
  Inertia body = given.value_or(Inertia{0, pos, {}});
  if (c.least_mass > 0) body.mass = std::max(body.mass, c.least_mass);
  if (c.least_inertia > 0 || c.balance)
    body.about_com = bounded_moments(body.about_com, c.least_inertia, c.balance);
  return body;
}

void scale_to_total_mass(Description& d, const Compiler& c) {
  if (!(c.total_mass > 0)) return;
  double total = 0;
  for (const LinkDescription& l : d.links)
    if (l.inertia) total += l.inertia->mass;
  if (!(total > 0)) return;
  for (LinkDescription& l : d.links) {
    if (!l.inertia) continue;
    l.inertia->mass *= c.total_mass / total;
    l.inertia->about_com = scaled(c.total_mass / total, l.inertia->about_com);
  }
}

}  // namespace parid::model::mjcf
