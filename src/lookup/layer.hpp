// Torques from tables, and the list of torque methods by name.
//
// The layers whose names this one may use. src/lookup/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "runtime/layer.hpp"

namespace parid::lookup {
using namespace runtime;
}  // namespace parid::lookup
