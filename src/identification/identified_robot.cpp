#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "dynamics/composite.hpp"
#include "identification/identify.hpp"
#include "model/canonical_model.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "model/regroup.hpp"

namespace parid::identification {
namespace {

using Matrix4 = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;

Matrix4 pseudo_inertia(const Moments<double>& b) {
  Matrix4 J;
  J << b.K.xx, b.K.xy, b.K.xz, b.ms.x, b.K.xy, b.K.yy, b.K.yz, b.ms.y, b.K.xz, b.K.yz, b.K.zz,
      b.ms.z, b.ms.x, b.ms.y, b.ms.z, b.m;
  return J;
}
Moments<double> moments_of(const Matrix4& J) {
  return {
      J(3, 3), {J(0, 3), J(1, 3), J(2, 3)}, {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)}};
}
Inertia inertia_of(const Moments<double>& b) {
  const Vec3<double> centre = (1 / b.m) * b.ms;
  Sym3<double> I = tensor(b.K) + point_inertia(-b.m, centre);
  // A map that preserves a plane of symmetry keeps products of inertia zero; rounding is removed.
  for (double* product : {&I.xy, &I.xz, &I.yz})
    if (std::abs(*product) < 1e-15 * (I.xx + I.yy + I.zz)) *product = 0;
  return {b.m, centre, I};
}
Moments<double> seen_from(const Pose<double>& A, const Moments<double>& b) {
  return moved(A.R, A.p, b);
}

// The links of a body are mapped together; the correction that makes a point solid goes to the link
// that the joint moves, or the first that has mass.
void map_body(const CanonicalModel& c, int body, int moved_link, const Matrix4& map,
              const std::array<double, 10>& prior, std::vector<LinkDescription>& links) {
  Matrix4 rest;  // the difference between the prior and the links
  Moments<double> whole;
  for (int k = 0; k < 10; ++k) set_parameter(whole, k, prior[k]);
  rest = pseudo_inertia(whole);
  const Pose<double> to_body = inverse(c.link[moved_link].pose);
  std::vector<int> mine;
  for (std::size_t l = 0; l < links.size(); ++l)
    if (c.link[l].link == body && links[l].inertia && links[l].inertia->mass > 0)
      mine.push_back(static_cast<int>(l));
  std::stable_partition(mine.begin(), mine.end(), [&](int l) { return l == moved_link; });
  std::vector<Matrix4> J;
  for (const int l : mine) {
    J.push_back(pseudo_inertia(seen_from(to_body * c.link[l].pose, moments(*links[l].inertia))));
    rest -= J.back();
  }
  if (rest.norm() > 1e-9 * pseudo_inertia(whole).norm()) J[0] += rest;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const Pose<double> from_body = inverse(to_body * c.link[mine[k]].pose);
    links[mine[k]].inertia =
        inertia_of(seen_from(from_body, moments_of(map * J[k] * map.transpose())));
  }
}

void set(JointDescription& j, const Estimate& e, double value, const TorqueModel& model) {
  switch (e.parameter.kind) {
    case ParameterKind::viscous:
      j.damping = value;
      if (model.options().friction != FrictionModel::viscous) break;
      j.friction = 0;  // the model has no dry friction
      j.stribeck.reset();
      break;
    case ParameterKind::coulomb:
      if (j.stribeck) j.stribeck->breakaway += value - j.friction;  // the rise was known
      j.friction = value;
      break;
    case ParameterKind::stribeck:  // after Coulomb friction
      j.stribeck.reset();
      if (value > 0)
        j.stribeck = Stribeck{.breakaway = j.friction + value,
                              .velocity = model.stribeck_velocity(e.parameter.place)};
      break;
    case ParameterKind::rotor: j.rotor_inertia = value; break;
    case ParameterKind::loss:
      if (!e.found) break;  // the file's drive is as good
      j.drive.reset();
      if (value == 0) break;
      j.drive = Drive{.breakaway = 0,
                      .rated = std::isfinite(j.limits.effort) ? j.limits.effort : 0,
                      .efficiency = {{0, 1 - std::min(value, 0.9)}}};
      break;
    default: break;
  }
}

}  // namespace

Description identified_robot(const TorqueModel& model, const Identification& found) {
  const Robot& robot = model.robot();
  const CanonicalModel& c = robot.canonical();
  Description d = robot.description();
  std::size_t at = 0;  // among the regressor's links
  for (int i = 1; i <= c.links; ++i) {
    if (i < c.links && c.joint[i + 1].joint == c.joint[i].joint) continue;
    const std::vector<double>& map = found.map[at];
    if (!map.empty())
      map_body(c, i, robot.find_link(d.joints[c.joint[i].joint].child),
               Eigen::Map<const Matrix4>(map.data()), found.prior[at], d.links);
    ++at;
  }
  // Mimic joints keep their friction; the rest belongs to their leader.
  const std::vector<MimicChain> follow = mimic_chains(d);
  std::vector<int> first;
  int velocity = 0;
  for (const JointDescription& j : d.joints) {
    first.push_back(velocity);
    velocity += velocity_count(j);
  }
  for (const Estimate& e : found.estimates) {
    if (e.parameter.kind == ParameterKind::inertia || e.parameter.kind == ParameterKind::offset)
      continue;
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (d.joints[j].mimic || velocity_count(d.joints[j]) != 1 || first[j] != e.parameter.place)
        continue;
      double value = e.physical;
      for (std::size_t f = 0; f < d.joints.size(); ++f) {
        if (!d.joints[f].mimic || follow[f].leader != static_cast<int>(j)) continue;
        if (follow[f].coupling) continue;  // without friction and rotor (torque_model.cpp)
        const double s = follow[f].scale;
        if (e.parameter.kind == ParameterKind::viscous) value -= s * s * d.joints[f].damping;
        if (e.parameter.kind == ParameterKind::coulomb) value -= std::abs(s) * d.joints[f].friction;
        if (e.parameter.kind == ParameterKind::rotor) value -= s * s * d.joints[f].rotor_inertia;
      }
      set(d.joints[j], e, std::max(0.0, value), model);
    }
  }
  return d;
}

}  // namespace parid::identification
