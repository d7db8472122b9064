// From a robot and a quantity to a program: traced, simplified, ready to be emitted.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"

namespace parid::codegen {

// Some of a robot's inertial parameters (dynamics/link_parameters.hpp), the others being zero: such
// as base parameters, into which the others have been summed.
struct ParameterChoice {
  std::vector<int> kept;              // by index, rising
  std::vector<double> values;         // this robot's
  std::vector<std::string> meanings;  // "forearm.xx + 0.04 hand.m"
};

struct GenerateOptions {
  bool standard_parameters = false;  // inertias as they are, not regrouped into base parameters

  // Numbers that the program takes as arguments instead of having them in it.
  bool parameters = false;  // inertias: pi, ten per moving link, or those of `choice`
  bool gravity = false;     // three numbers, in the root link's frame
  bool payload = false;     // a body on `link`: ten numbers, as pi has them for a link
  bool wrench = false;      // on `link`, at its origin and in its frame: force, then moment
  bool friction_coefficients = false;  // viscous and Coulomb of every velocity
  bool step = false;                   // of a rollout: dt

  bool friction = false;  // the robot's bearings and drives; columns, for `regressor`
  // for pi and `regressor`: these instead of ten per link
  std::optional<ParameterChoice> choice = {};
  std::string link = {};          // empty: the tip; for `kinematics`, "all" is all links
  std::array<double, 3> point{};  // of the link, in its frame: for `jacobian`

  int steps = 10;  // of a rollout
  double dt = 1e-3;
  std::string integrator = "euler";  // or "rk4"
  bool path = false;                 // give every step's end, not the last alone
};

struct Generated {
  Program program;
  int base_parameters = 0;  // how many inertial parameters can matter
  Counts rotors;            // the part of the operations that rotor inertias take
  // Of pi or of the columns of `regressor`: what they are, and this robot's values. Else empty.
  std::vector<std::string> parameter_names;
  std::vector<double> parameter_values;
};

// Throws parid::Error for a quantity that cannot be generated, for an option without effect on it,
// and for a robot that it does not cover.
Generated generate(const Robot&, Quantity, const GenerateOptions& = {});

}  // namespace parid::codegen
