// Every coordinate swinging about a pose: q = q0 + A sin(ωt), for ever smooth, so that nothing but
// the controller shows.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// amplitude: by coordinate, rad or m; frequency in rad/s. Robots whose positions are numbers.
TrajectoryPointer sine(std::vector<double> q0, std::vector<double> amplitude, double frequency,
                       double duration);

}  // namespace parid::motion
