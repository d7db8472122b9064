// Friction that the robot file gives and that is not identified: Stribeck friction, unless it is
// identified or excluded, load-dependent bearing friction, and drives, unless drives are
// identified.
//
// Bearing friction depends on the reactions between links and thus on bodies: first the robot
// file's, then the identified ones (set_bodies), iterated to convergence. Drive losses depend only
// on each torque.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "parid/identification.hpp"
#include "parid/inverse_dynamics.hpp"

namespace parid::identification {

// Torque at the drive's input with its derivatives by output torque and efficiency.
struct DriveResponse {
  double torque, by_output, by_efficiency;
};
// The law of model/drive.hpp with its derivatives; `slope` is the derivative of the efficiency by
// output|, `way` replaces the sign of v.
DriveResponse drive_response(double breakaway, double efficiency, double slope, double output,
                             double v, double way);

class KnownFriction {
 public:
  // Empty if torques have no friction at all.
  KnownFriction(const Robot&, FrictionModel, bool drives);

  bool has_bearings() const { return bearings_.has_value(); }
  bool loaded() const { return loaded_; }  // bearings follow the bodies
  bool has_drive(int torque) const { return drive_[torque] > 0; }
  bool has_curves() const;  // input torques are nonlinear in output torques
  void set_bodies(const Description&);

  // Bearing friction, nv numbers, without viscous and Coulomb friction; valid until the next call.
  std::span<const double> bearing(std::span<const double> q, std::span<const double> v,
                                  std::span<const double> a);
  double way(int torque, double v) const;  // the sign of v, smoothed like the joint's friction
  DriveResponse drive(int torque, double output, double v) const;

  std::vector<std::string> notes() const;  // describes the friction taken as known

 private:
  Robot robot_;
  std::optional<Robot> bearings_;  // the robot with bearing friction only
  std::optional<Workspace> workspace_;
  std::vector<int> drive_;         // by torque: its joint of the mechanism; 0: none
  std::vector<double> smoothing_;  // by torque, squared
  std::vector<double> parts_;
  bool loaded_ = false, stribeck_ = true;
};

}  // namespace parid::identification
