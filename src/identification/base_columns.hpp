// The base parameters of a robot in the user's frames: the sums of inertial parameters that torques
// determine.
//
// identification/ estimates a robot's parameters from measurements.
//
// Columns of the regressor (parid/dynamics.hpp) are processed link by link; a column that depends
// linearly on earlier ones is left out, and its parameter is part of theirs. Dependence is tested
// at random states. The frames are the user's, because people read the sums;
// dynamics/base_parameters.hpp has the same number of them in the mechanism's frames.

#pragma once

#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "parid/robot.hpp"

namespace parid::identification {

struct BaseColumns {
  std::vector<std::string> standard;  // names of the regressor's columns: "forearm.mx"
  std::vector<int> kept;              // indices of the independent ones
  std::vector<double> combination;    // (kept, standard): base parameters from standard ones
  // for each torque, the entries of `kept` on which it can depend
  std::vector<std::vector<int>> felt_by;

  double share(std::size_t k, std::size_t s) const { return combination[k * standard.size() + s]; }
  // "forearm.xx + forearm.yy - 0.0203 hand.m", with at most `terms` terms.
  std::string meaning(std::size_t k, std::size_t terms = 1000) const;
};

BaseColumns base_columns(const Robot&);

}  // namespace parid::identification
