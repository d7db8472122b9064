// From a robot and a wish to processors, policy, word length, code, and the bandwidth they reach.
//
// The layers whose names this one may use. src/design/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "control/layer.hpp"
#include "hardware/layer.hpp"
#include "schedule/layer.hpp"

namespace parid::design {
using namespace control;
using namespace hardware;
using namespace schedule;
}  // namespace parid::design
