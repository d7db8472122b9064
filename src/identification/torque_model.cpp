#include "identification/torque_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/canonical_model.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "parid/dynamics.hpp"

namespace parid::identification {
namespace {

// Of the ten parameters of a link.
const char* unit_of(int k) { return k == 0 ? "kg" : k < 4 ? "kg m" : "kg m²"; }

// The robot file's values for each torque coordinate, including those of mimic joints.
struct Given {
  std::vector<double> viscous, coulomb, rise, velocity, rotor, loss;
  std::vector<int> joint;  // of the description, if it has one freedom; else -1
};
Given given_of(const Robot& robot) {
  const Description& d = robot.description();
  const std::size_t nv = robot.nv();
  const std::vector<double> zeros(nv);
  Given g{
      zeros, zeros, zeros, std::vector<double>(nv, 0.1), zeros, zeros, std::vector<int>(nv, -1)};
  std::vector<int> first;
  int velocity = 0;
  for (const JointDescription& j : d.joints) {
    first.push_back(velocity);
    velocity += velocity_count(j);
  }
  const std::vector<MimicChain> follow = mimic_chains(d);
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    if (velocity_count(d.joints[j].type) != 1) continue;
    const int k = first[follow[j].leader];
    const JointDescription& joint = d.joints[j];
    if (joint.rotor)
      throw Error(
          fmt::format("joint '{}' has a rotor that spins on a link, which identification "
                      "does not support; give its reflected inertia as rotor_inertia",
                      joint.name));
    if (follow[j].coupling) {  // its share of the leader's friction depends on the position
      if (joint.damping != 0 || joint.friction != 0 || joint.rotor_inertia != 0)
        throw Error(
            fmt::format("joint '{}' mimics joint '{}' by a polynomial or a four-bar linkage "
                        "and has friction or a rotor inertia, which identification does "
                        "not support; remove them",
                        joint.name, joint.mimic->joint));
      continue;
    }
    const double scale = follow[j].scale;
    g.viscous[k] += scale * scale * d.joints[j].damping;
    g.coulomb[k] += std::abs(scale) * d.joints[j].friction;
    if (d.joints[j].mimic) continue;
    g.joint[k] = static_cast<int>(j);
    if (joint.stribeck) {
      g.rise[k] = joint.stribeck->breakaway - joint.friction;
      g.velocity[k] = joint.stribeck->velocity;
    }
    if (d.joints[j].drive) g.loss[k] = 1 - efficiency(*d.joints[j].drive, 1);  // at full load
  }
  for (const Freedom& f : robot.canonical().freedom)
    if (f.coupling < 0) g.rotor[f.column] += f.scale * f.scale * f.rotor_inertia;
  return g;
}

}  // namespace

const char* name_of(ParameterKind kind) {
  constexpr const char* names[] = {"inertia", "viscous", "coulomb", "stribeck",
                                   "rotor",   "loss",    "offset"};
  return names[static_cast<int>(kind)];
}

TorqueModel::TorqueModel(const Robot& robot, const ModelOptions& options)
    : robot_(robot),
      options_(options),
      base_(base_columns(robot)),
      known_(robot, options.friction, !options.drives),
      workspace_(robot) {
  const std::vector<double> standard = regressor_parameters(robot);
  for (std::size_t k = 0; k < base_.kept.size(); ++k) {
    double value = 0;
    for (std::size_t s = 0; s < standard.size(); ++s) value += base_.share(k, s) * standard[s];
    parameters_.push_back({ParameterKind::inertia, static_cast<int>(k),
                           base_.standard[base_.kept[k]], base_.meaning(k),
                           unit_of(base_.kept[k] % 10), value});
  }
  const int nv = robot.nv();
  const Given given = given_of(robot);
  rotor_inertia_ = given.rotor;
  felt_by_ = base_.felt_by;
  auto add = [&](bool wanted, ParameterKind kind, const std::vector<double>& value,
                 const char* turning, const char* sliding, bool any_joint = false) {
    std::vector<int> index(nv, -1);
    for (int k = 0; k < nv && wanted; ++k) {
      if (given.joint[k] < 0 && !any_joint) continue;
      const bool slides = given.joint[k] >= 0 &&
                          robot.description().joints[given.joint[k]].type == JointType::prismatic;
      index[k] = static_cast<int>(parameters_.size());
      felt_by_[k].push_back(index[k]);
      parameters_.push_back({kind, k,
                             fmt::format("{}.{}", robot.velocity_names()[k], name_of(kind)), "",
                             slides ? sliding : turning, value.empty() ? 0 : value[k]});
    }
    return index;
  };
  const FrictionModel friction = options.friction;
  const bool moves = friction != FrictionModel::none,
             dry = moves && friction != FrictionModel::viscous;
  viscous_ = add(moves, ParameterKind::viscous, given.viscous, "N m s/rad", "N s/m");
  coulomb_ = add(dry, ParameterKind::coulomb, given.coulomb, "N m", "N");
  stribeck_ =
      add(friction == FrictionModel::stribeck, ParameterKind::stribeck, given.rise, "N m", "N");
  stribeck_velocity_ = given.velocity;
  for (std::size_t k = 0; k < options.stribeck_velocity.size(); ++k)
    if (options.stribeck_velocity[k] > 0) stribeck_velocity_[k] = options.stribeck_velocity[k];
  rotor_ = add(options.rotors, ParameterKind::rotor, given.rotor, "kg m²", "kg");
  loss_ = add(options.drives, ParameterKind::loss, given.loss, "", "");
  offset_ = add(options.offsets || friction == FrictionModel::asymmetric, ParameterKind::offset, {},
                "N m", "N", true);
  Y_.resize(static_cast<std::size_t>(nv) * base_.standard.size());
}

std::vector<double> TorqueModel::given() const {
  std::vector<double> x;
  for (const ModelParameter& p : parameters_) x.push_back(p.given);
  return x;
}

void TorqueModel::torque(std::span<const double> q, std::span<const double> v,
                         std::span<const double> a, std::span<const double> x,
                         std::span<double> tau, std::span<double> derivatives) {
  regressor(robot_, workspace_, q, v, a, Y_);
  std::fill(derivatives.begin(), derivatives.end(), 0.0);
  const std::size_t width = parameters_.size(), all = base_.standard.size();
  std::span<const double> bearing;
  if (known_.has_bearings()) bearing = known_.bearing(q, v, a);
  for (std::size_t k = 0; k < tau.size(); ++k) {
    const int joint = static_cast<int>(k);
    double* row = &derivatives[k * width];
    const double way = known_.way(joint, v[k]);
    double output = bearing.empty() ? 0 : bearing[k];  // of the drive, to the joint
    for (const int b : base_.felt_by[k]) {
      row[b] = Y_[k * all + base_.kept[b]];
      output += row[b] * x[b];
    }
    if (const int f = viscous_[k]; f >= 0) output += (row[f] = v[k]) * x[f];
    if (const int f = coulomb_[k]; f >= 0) output += (row[f] = way) * x[f];
    if (const int f = stribeck_[k]; f >= 0) {
      const double u = v[k] / stribeck_velocity_[k];
      output += (row[f] = way / (1 + u * u)) * x[f];
    }
    tau[k] = output;
    const int l = loss_[k];
    if (l >= 0 || known_.has_drive(joint)) {
      const DriveResponse r = l >= 0 ? drive_response(0, 1 - x[l], 0, output, v[k], way)
                                     : known_.drive(joint, output, v[k]);
      for (const int f : felt_by_[k]) row[f] *= r.by_output;
      if (l >= 0) row[l] = -r.by_efficiency;
      tau[k] = r.torque;
    }
    if (rotor_[k] >= 0) row[rotor_[k]] = a[k];
    tau[k] += a[k] * (rotor_[k] >= 0 ? x[rotor_[k]] : rotor_inertia_[k]);
    if (const int o = offset_[k]; o >= 0) tau[k] += (row[o] = 1) * x[o];
  }
}

}  // namespace parid::identification
