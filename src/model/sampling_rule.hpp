// The sampling rule of Dhanaraj (1990), section 1.1, after Fu, Gonzalez and Lee (1987): a
// controller samples twenty times per period of the arm's highest natural frequency, Δt = 1 / (20
// ω/2π). motion/ applies it to robots, schedule/ to the time that an evaluation takes.

#pragma once

#include "model/layer.hpp"

namespace parid::model {

inline constexpr int samples_per_natural_period = 20;

}  // namespace parid::model
