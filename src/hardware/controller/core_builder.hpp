// The program of a controller core: part of controller_core().

#pragma once

#include <optional>

#include "hardware/controller/controller_core.hpp"
#include "hardware/ik_hardware.hpp"
#include "hardware/layer.hpp"

namespace parid::hardware {

// Fills program, registers, names and formats of the set point, and error bounds, from robot,
// options and joints. `arm`: of pose set points.
void build_core(ControllerCore&, const std::optional<IkArm>& arm);

}  // namespace parid::hardware
