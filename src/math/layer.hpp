// Vectors, matrices, poses and parallel scans over any number type.
//
// The layers whose names this one may use. src/math/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "scalar/layer.hpp"

namespace parid::math {
using namespace scalar;
}  // namespace parid::math
