// Trajectories: continuous and sampled, their files, profiles, paths and time scaling.
//
// The layers whose names this one may use. src/motion/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "runtime/layer.hpp"

namespace parid::motion {
using namespace runtime;
}  // namespace parid::motion
