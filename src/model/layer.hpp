// What a robot is: its description, readers (format/), physical checks (lint/), canonical frames,
// mechanism.
//
// The layers whose names this one may use. src/model/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "base/layer.hpp"
#include "math/layer.hpp"
#include "scalar/layer.hpp"

namespace parid::model {
using namespace base;
using namespace scalar;
using namespace math;
}  // namespace parid::model
