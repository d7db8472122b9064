// A sinusoidal motion of every coordinate about a pose: q = q0 + A sin(ωt). It is smooth at all
// times, so errors are due to the controller alone.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// amplitude: by coordinate, rad or m; frequency in rad/s. Only for robots without quaternions.
TrajectoryPointer sine(std::vector<double> q0, std::vector<double> amplitude, double frequency,
                       double duration);

}  // namespace parid::motion
