// Sampled control with stale data: policies, control loops, stability.
//
// The layers whose names this one may use. src/control/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "simulation/layer.hpp"

namespace parid::control {
using namespace simulation;
}  // namespace parid::control
