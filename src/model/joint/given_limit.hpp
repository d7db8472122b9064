// What a limit in a robot's file means.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Exporters write 0 for a velocity or effort limit that is not known: none is given. A joint that
// cannot move has both position limits at one place, or is fixed.
constexpr double given_limit(double limit) { return limit == 0 ? Limits::none : limit; }

}  // namespace parid::model
