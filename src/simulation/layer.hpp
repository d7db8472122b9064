// Robots that move under torques: integrators, torque sources, controllers.
//
// The layers whose names this one may use. src/simulation/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "motion/layer.hpp"

namespace parid::simulation {
using namespace motion;
}  // namespace parid::simulation
