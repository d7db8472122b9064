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
#include "parid/row_arguments.hpp"

namespace parid::codegen {

// A subset of a robot's inertial parameters (dynamics/link_parameters.hpp), the others being zero:
// for example base parameters, which include the sums of the others.
struct ParameterChoice {
  std::vector<int> kept;              // by index, ascending
  std::vector<double> values;         // this robot's
  std::vector<std::string> meanings;  // "forearm.xx + 0.04 hand.m"
};

struct GenerateOptions {
  // the robot file's inertias, not regrouped into base parameters
  bool standard_parameters = false;

  // Values that are arguments of the program instead of constants.
  bool parameters = false;  // inertias: pi, ten per moving link, or those of `choice`
  bool gravity = false;     // three numbers, in the root link's frame
  bool payload = false;     // a body attached to `link`: ten numbers, as in pi
  bool wrench = false;      // on `link`, at its origin and in its frame: force, then moment
  bool friction_coefficients = false;  // viscous and Coulomb coefficients of every velocity
  bool step = false;                   // of a rollout: dt

  bool friction = false;  // friction of bearings and drives; columns, for `regressor`
  // for pi and `regressor`: these instead of ten per link
  std::optional<ParameterChoice> choice = {};
  std::string link = {};          // empty: the tip; for `kinematics`, "all" is all links
  std::array<double, 3> point{};  // of the link, in its frame: for `jacobian`

  bool all_branches = false;  // of ik: every branch in one call, not that of the signs given

  int steps = 10;  // of a rollout
  double dt = 1e-3;
  std::string integrator = "euler";  // or "rk4"
  bool path = false;                 // return every step, not only the last

  // What differs from row to row in a batch: further arguments "parameters", "gravity",
  // "base_motion" and "wrenches", of those that the quantity depends on. Instead of the above.
  RowArguments per_row = {};
};

struct Generated {
  Program program;
  int base_parameters = 0;  // number of inertial parameters that can matter
  Counts rotors;            // operations for rotor inertias
  // Of pi or of the columns of `regressor`: meaning, and this robot's values. Else empty.
  std::vector<std::string> parameter_names;
  std::vector<double> parameter_values;
};

// Throws parid::Error for a quantity that cannot be generated, for an option that does not apply to
// it, and for a robot that it does not support.
Generated generate(const Robot&, Quantity, const GenerateOptions& = {});

}  // namespace parid::codegen
