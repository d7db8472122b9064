// Arguments of a batch that differ from row to row: inertial parameters, gravity, base motion and
// external wrenches.
//
//   RowArguments vary{.parameters = parameter_links(robot), .gravity = true};
//   Engine engine(robot, {.quantities = {Quantity::inverse_dynamics}, .per_row = vary});
//   engine.evaluate(Quantity::inverse_dynamics, rows, {{q, v, a, parameters, gravity}}, {{tau}});
//
// A public header: no template, no type of another library. SI units.

#pragma once

#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

/// Which arguments differ from row to row. Each is one more input array of the quantities that
/// depend on it (QuantityInfo::row_arguments), after their own inputs and in this order:
/// "parameters", "gravity", "base_motion", "wrenches".
struct RowArguments {
  /// Links whose inertial parameters are given, by name: ten numbers each, in this order. They are
  /// those of regressor(): mass, first moments (m x, m y, m z) and second moments (∫x² dm …, in the
  /// order xx yy zz xy xz yz), about the origin and in the frame of the link, including all links
  /// fixed to it. The other links keep the robot's own. Rotors are not included.
  std::vector<std::string> parameters = {};
  /// 3 numbers, m/s², in the root link's frame, instead of the robot's own.
  bool gravity = false;
  /// 9 numbers: angular velocity, angular acceleration and linear acceleration of the root link, in
  /// its frame.
  bool base_motion = false;
  /// Links on which wrenches act: 6 numbers each, in this order: force and moment, at the link's
  /// origin and in its frame. They add to those of Engine::set_wrench.
  std::vector<std::string> wrenches = {};

  bool empty() const { return parameters.empty() && !gravity && !base_motion && wrenches.empty(); }
};

/// The links that have inertial parameters of their own, in the order of regressor_names(): those
/// that joints move. Allocates the result.
PARID_EXPORT std::vector<std::string> parameter_links(const Robot&);

}  // namespace parid
