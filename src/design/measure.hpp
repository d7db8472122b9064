// This machine as a target: times of operations and messages, measured.

#pragma once

#include <string>

#include "design/layer.hpp"
#include "design/target.hpp"

namespace parid::design {

// From generated programs of two sizes and of sines, compiled with -O1; about a
// second. Throws Error without a C compiler.
Target measured_target(const std::string& title);

}  // namespace parid::design
