// A motion, sampled: positions, velocities and accelerations at instants.
//
// motion/ makes and reads motions; it includes run/ and below, and io/. A Course (course.hpp) is a
// motion in continuous time; this is what is left of it at instants.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "parid/error.hpp"
#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

// Rows are samples; columns are the robot's coordinates, in the robot's order.
struct SampledTrajectory {
  std::size_t rows = 0;
  std::vector<double> t;        // empty: the file gave none
  std::vector<double> q, v, a;  // (rows, nq), (rows, nv), (rows, nv)
  std::vector<double> tau;      // (rows, nv), measured; empty: not asked for
  std::function<Place(std::size_t row)>
      place;  // of a sample in its file; empty: it comes from none

  // How torques should go back: the names of the torque columns, and for each the robot's velocity
  // coordinate it holds.
  std::vector<std::string> torque_columns;
  std::vector<int> torque_order;
};

// "tau:JOINT" in the robot's order.
PARID_EXPORT void name_torques(const Robot&, SampledTrajectory&);

// Where a motion leaves what the robot can do. One entry per coordinate and kind: the worst.
// Mimic joints are listed under their own names for position and velocity limits.
struct LimitBreak {
  std::string coordinate;
  std::string kind;  // "position", "velocity", "effort"
  double value, limit;
  std::size_t row;
};
PARID_EXPORT std::vector<LimitBreak> broken_limits(const Robot&, const SampledTrajectory&,
                                                   const std::vector<double>& tau);

}  // namespace parid
