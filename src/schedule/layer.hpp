// From a graph to tasks, and from tasks to schedules on p processors.
//
// The layers whose names this one may use. src/schedule/CMakeLists.txt declares the same, and a
// test compares.

#pragma once

#include "codegen/layer.hpp"

namespace parid::schedule {
using namespace codegen;
}  // namespace parid::schedule
