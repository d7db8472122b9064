// What the robot file says of friction and is not looked for: Stribeck's rise, bearings by their
// load, and drives, unless drives are what is to be found.
//
// Bearings follow the reactions between links, so they need bodies: the robot file's at first, then
// those found (set_bodies), until they stand still. What drives take follows from each torque by
// itself.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "parid/inverse_dynamics.hpp"

namespace parid::identification {

// A torque at the drive's input, and how it follows the output torque and the efficiency.
struct DriveResponse {
  double torque, by_output, by_efficiency;
};
// model/drive.hpp's law with its derivatives; `slope` is that of the efficiency over |output|,
// `way` stands for the sign of v.
DriveResponse drive_response(double breakaway, double efficiency, double slope, double output,
                             double v, double way);

class KnownFriction {
 public:
  // Nothing is known unless torques have friction at all.
  KnownFriction(const Robot&, bool friction, bool drives);

  bool has_bearings() const { return bearings_.has_value(); }
  bool loaded() const { return loaded_; }  // bearings follow the bodies
  bool has_drive(int torque) const { return drive_[torque] > 0; }
  bool has_curves() const;  // input torques are not linear in output torques
  void set_bodies(const Description&);

  // Bearing friction, nv numbers, without viscous and Coulomb friction; valid until the next
  // call.
  std::span<const double> bearing(std::span<const double> q, std::span<const double> v,
                                  std::span<const double> a);
  double way(int torque, double v) const;  // the sign of v, smooth where the joint's friction is
  DriveResponse drive(int torque, double output, double v) const;

  std::vector<std::string> notes() const;  // what is taken as known, in words

 private:
  Robot robot_;
  std::optional<Robot> bearings_;  // the robot with nothing but these
  std::optional<Workspace> workspace_;
  std::vector<int> drive_;         // by torque: its joint of the mechanism; 0: none
  std::vector<double> smoothing_;  // by torque, squared
  std::vector<double> parts_;
  bool loaded_ = false;
};

}  // namespace parid::identification
