// Frames, velocities, Jacobians and inverse kinematics, as templates over the number type.
//
// The layers whose names this one may use. src/kinematics/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "model/layer.hpp"

namespace parid::kinematics {
using namespace model;
}  // namespace parid::kinematics
