// Mass matrix, forward dynamics, derivatives, energy, regressor and friction, as templates over the
// number type.
//
// The layers whose names this one may use. src/dynamics/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "formulation/layer.hpp"
#include "kinematics/layer.hpp"

namespace parid::dynamics {
using namespace formulation;
using namespace kinematics;
}  // namespace parid::dynamics
