// Inertial and friction parameters from measured torques.
//
// The layers whose names this one may use. src/identification/CMakeLists.txt declares the same, and
// a test compares.

#pragma once

#include "motion/layer.hpp"

namespace parid::identification {
using namespace motion;
}  // namespace parid::identification
