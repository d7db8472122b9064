// The meaning of a limit in a robot file.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Exporters write 0 for an unknown velocity or effort limit: it counts as not given. A joint that
// cannot move has equal position limits, or is fixed.
constexpr double given_limit(double limit) { return limit == 0 ? Limits::none : limit; }

}  // namespace parid::model
