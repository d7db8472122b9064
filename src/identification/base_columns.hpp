// Which of a robot's inertial parameters torques can tell, and in what sums: its base parameters,
// in the frames users know.
//
// identify/ finds a robot's parameters from what was measured. It includes run/, motion/ and below.
//
// Columns of the regressor (parid/dynamics.hpp) are taken link by link; one that those before it
// make up is left out, and its parameter is part of theirs. What depends on what is asked at random
// states. The frames are users' own, because the sums are read by people;
// dynamics/base_parameters.hpp has the same number of them in the mechanism's frames.

#pragma once

#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "parid/robot.hpp"

namespace parid::identification {

struct BaseColumns {
  std::vector<std::string> standard;      // names of the regressor's columns: "forearm.mx"
  std::vector<int> kept;                  // those of them that are independent
  std::vector<double> combination;        // (kept, standard): base parameters from standard ones
  std::vector<std::vector<int>> felt_by;  // for each torque, which of `kept` it can depend on

  double share(std::size_t k, std::size_t s) const { return combination[k * standard.size() + s]; }
  // "forearm.xx + forearm.yy - 0.0203 hand.m", at most `terms` of them.
  std::string meaning(std::size_t k, std::size_t terms = 1000) const;
};

BaseColumns base_columns(const Robot&);

}  // namespace parid::identification
