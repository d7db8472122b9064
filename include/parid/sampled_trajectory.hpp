// A sampled motion: positions, velocities and accelerations at given times. A PlannedTrajectory
// (trajectory.hpp) is a motion in continuous time, from which samples are taken.

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
  std::vector<double> t;                        // empty: the file has none
  std::vector<double> q, v, a;                  // (rows, nq), (rows, nv), (rows, nv)
  std::vector<double> tau;                      // (rows, nv), measured; empty: not requested
  std::function<Place(std::size_t row)> place;  // of a sample in its file; empty: not from a file

  // The output order of torques: the names of the torque columns, and for each the robot's velocity
  // coordinate.
  std::vector<std::string> torque_columns;
  std::vector<int> torque_order;
};

// "tau:JOINT" in the robot's order.
PARID_EXPORT void name_torques(const Robot&, SampledTrajectory&);

// Limits that a motion exceeds. One entry per coordinate and kind, at the worst sample.
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
