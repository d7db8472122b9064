// Measured torques as a function of the parameters to identify: inertias, friction, rotors, drives,
// offsets.
//
//   tau = g (Y β + viscous v + sgn v (coulomb + stribeck / (1 + (v / s)²)) + bearings)
//         + rotor a + offset
//
// Y β are the rigid bodies, by base parameters (base_columns.hpp). g belongs to the drive: its
// output torque is 1 / g of the motor's torque, with g = 1/η if the motor drives the joint and η if
// the joint drives the motor. The parameter is the lost fraction 1 - η, 0 for a drive without
// losses. Drives that are not identified are those of the robot file, and so are bearings
// (known_friction.hpp). Except for drives, the model is linear: the velocities s of Stribeck's rise
// are given.
//
// Joints of several freedoms have neither friction nor rotor. Torques of mimic joints act at their
// leader.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "identification/base_columns.hpp"
#include "identification/known_friction.hpp"
#include "identification/layer.hpp"
#include "parid/identification.hpp"
#include "parid/inverse_dynamics.hpp"

namespace parid::identification {

enum class ParameterKind { inertia, viscous, coulomb, stribeck, rotor, loss, offset };
const char* name_of(ParameterKind);

struct ModelOptions {
  FrictionModel friction = FrictionModel::coulomb;  // none: torques have no friction at all
  bool rotors = false;                              // false: those of the robot file are used
  bool drives = false;                              // fraction of the torque that each drive loses
  bool offsets = false;  // a constant in each torque: of the sensor, or of springs and cables
  // By torque, for FrictionModel::stribeck; where missing, the robot file's, or 0.1 rad/s (m/s).
  std::vector<double> stribeck_velocity = {};
};

struct ModelParameter {
  ParameterKind kind;
  int place;            // kept column of an inertia; else the torque's index
  std::string name;     // "forearm.mx", "elbow.viscous"
  std::string meaning;  // of an inertia: its sum of standard parameters
  std::string unit;
  double given = 0;  // value of the robot file
};

class TorqueModel {
 public:
  explicit TorqueModel(const Robot&, const ModelOptions& = {});

  const Robot& robot() const { return robot_; }
  const ModelOptions& options() const { return options_; }
  const BaseColumns& base() const { return base_; }
  const std::vector<ModelParameter>& parameters() const { return parameters_; }
  std::vector<double> given() const;  // the robot file's
  bool linear() const { return !options_.drives && !known_.has_curves(); }
  // Friction of the robot file that is not identified; bearing friction depends on its bodies.
  const KnownFriction& known() const { return known_; }
  void set_bodies(const Description& d) { known_.set_bodies(d); }
  bool has_friction(int torque) const { return viscous_[torque] >= 0; }
  double stribeck_velocity(int torque) const { return stribeck_velocity_[torque]; }
  // Parameters on which a torque can depend.
  const std::vector<int>& felt_by(int torque) const { return felt_by_[torque]; }

  // Torques at x, and their derivatives by each parameter: (nv, parameters), row-major.
  void torque(std::span<const double> q, std::span<const double> v, std::span<const double> a,
              std::span<const double> x, std::span<double> tau, std::span<double> derivatives);

 private:
  Robot robot_;
  ModelOptions options_;
  BaseColumns base_;
  KnownFriction known_;
  Workspace workspace_;
  std::vector<ModelParameter> parameters_;
  std::vector<int> viscous_, coulomb_, stribeck_, rotor_, loss_, offset_;  // by torque; -1: none
  std::vector<double> stribeck_velocity_;                                  // by torque
  std::vector<double> rotor_inertia_;                                      // by torque, as given
  std::vector<std::vector<int>> felt_by_;
  std::vector<double> Y_;
};

}  // namespace parid::identification
