// Ways to compute inverse dynamics, as templates over the number type.
//
// The layers whose names this one may use. src/formulation/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "model/layer.hpp"

namespace parid::formulation {
using namespace model;
}  // namespace parid::formulation
