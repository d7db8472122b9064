#include "identification/known_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/canonical_model.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::identification {
namespace {

bool follows_load(const JointDescription& j) { return j.journal || j.linear || j.thrust; }
bool has_bearing(const JointDescription& j, bool stribeck) {
  return velocity_count(j.type) == 1 && ((stribeck && j.stribeck) || follows_load(j));
}

// Removes viscous and dry friction, which are identified, and drives, which are applied after the
// bearings.
Description bearings_alone(Description d, bool stribeck) {
  for (JointDescription& j : d.joints) {
    if (!stribeck) j.stribeck.reset();
    if (j.stribeck) j.stribeck->breakaway -= j.friction;  // the rise stays
    j.damping = j.friction = 0;
    j.drive.reset();
  }
  return d;
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < 6; ++k)
    text += fmt::format("{}'{}'", k ? ", " : "", names[k]);
  return names.size() > 6 ? fmt::format("{} and {} more", text, names.size() - 6) : text;
}

}  // namespace

DriveResponse drive_response(double breakaway, double efficiency, double slope, double output,
                             double v, double way) {
  const double size = std::abs(output), sign = output < 0 ? -1 : 1;
  if (output * v > 0) {
    const double inverse = 1 / efficiency;
    return {output + way * (size * (inverse - 1) + breakaway),
            1 + way * sign * (inverse - 1 - size * slope * inverse * inverse),
            -way * size * inverse * inverse};
  }
  return {output + way * (size * (1 - efficiency) + breakaway),
          1 + way * sign * (1 - efficiency - size * slope), -way * size};
}

KnownFriction::KnownFriction(const Robot& robot, FrictionModel model, bool drives)
    : robot_(robot),
      drive_(robot.nv(), 0),
      smoothing_(robot.nv(), 0.0),
      stribeck_(model == FrictionModel::coulomb || model == FrictionModel::asymmetric) {
  const bool friction = model != FrictionModel::none;
  const CanonicalModel& c = robot.canonical();
  const Description& d = robot.description();
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointDescription& j = d.joints[c.joint[i].joint];
    if (velocity_count(j.type) != 1 || c.joint[i].has_mimic) continue;
    smoothing_[c.joint[i].velocity] = j.smoothing * j.smoothing;
    if (friction && drives && j.drive) drive_[c.joint[i].velocity] = i;
  }
  if (!friction) return;
  loaded_ = std::any_of(d.joints.begin(), d.joints.end(), follows_load);
  if (std::any_of(d.joints.begin(), d.joints.end(),
                  [&](const JointDescription& j) { return has_bearing(j, stribeck_); }))
    set_bodies(d);
  parts_.resize(4 * static_cast<std::size_t>(robot.nv()));
}

void KnownFriction::set_bodies(const Description& d) {
  workspace_.reset();
  bearings_.emplace(bearings_alone(d, stribeck_));
  workspace_.emplace(*bearings_);
}

bool KnownFriction::has_curves() const {
  return std::any_of(drive_.begin(), drive_.end(),
                     [&](int i) { return i > 0 && !robot_.canonical().drive[i].pieces.empty(); });
}

std::span<const double> KnownFriction::bearing(std::span<const double> q, std::span<const double> v,
                                               std::span<const double> a) {
  const std::size_t nv = v.size();
  const std::span<double> all(parts_);
  const FrictionTorques parts{all.subspan(0, nv), all.subspan(nv, nv), all.subspan(2 * nv, nv),
                              all.subspan(3 * nv, nv)};
  inverse_dynamics_with_friction(*bearings_, *workspace_, q, v, a, parts);
  return parts.bearing;
}

double KnownFriction::way(int torque, double v) const { return smooth_sign(v, smoothing_[torque]); }

DriveResponse KnownFriction::drive(int torque, double output, double v) const {
  const CanonicalDrive& d = robot_.canonical().drive[drive_[torque]];
  const double size = std::abs(output), load = std::clamp(size, d.law.low, d.law.high);
  double efficiency = 1, slope = 0;
  if (!d.pieces.empty()) {
    std::size_t k = 0;
    while (k + 1 < d.pieces.size() && d.pieces[k + 1].from < load) ++k;
    const auto& [from, c] = d.pieces[k];
    const double u = load - from;
    efficiency = d.pieces[k].at(load);
    if (load == size) slope = c[1] + u * (2 * c[2] + u * 3 * c[3]);
  }
  return drive_response(d.law.breakaway, efficiency, slope, output, v, way(torque, v));
}

std::vector<std::string> KnownFriction::notes() const {
  std::vector<std::string> bearings, drives, all;
  for (const JointDescription& j : robot_.description().joints)
    if (has_bearings() && has_bearing(j, stribeck_)) bearings.push_back(j.name);
  for (std::size_t k = 0; k < drive_.size(); ++k)
    if (drive_[k] > 0) drives.push_back(robot_.velocity_names()[k]);
  if (!bearings.empty())
    all.push_back(
        fmt::format("the bearings of {} (stribeck, journal, linear, thrust) keep the file's "
                    "values; their friction is subtracted first",
                    names_of(bearings)));
  if (!drives.empty())
    all.push_back(fmt::format("the drives of {} keep the file's values; `drives` identifies them",
                              names_of(drives)));
  return all;
}

}  // namespace parid::identification
