// Checks of values that users give besides a robot file. C++, C, Python and the command line all
// use them, so that all refuse the same values.

#pragma once

#include <span>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// Throws Error, "force: nan is not finite; give finite numbers", if one is not finite.
void require_finite(const char* name, std::span<const double> values);

// Throws Error if it is not finite and positive: "rate: 0 is not positive; give a number above
// zero, …".
void require_above_zero(const char* name, double value, const char* such_as);

// Throws Error if it is outside: "seconds: 900 is out of range; give 0.5 to 600".
void require_within(const char* name, double value, double least, double most);

// Throws Error if the times do not ascend.
void require_rising(const char* name, std::span<const double> instants);

// Throws Error if this mass, centre and inertia are physically impossible: the mass is
// positive, and the moments satisfy the triangle inequality, which the sum with a link might hide.
void require_payload(const Inertia&);

// Throws Error for a robot of more moving links than `most`. Torques take time in proportion to the
// links; some studies take their square, cube or fourth power. `what` is the subject: "its
// program".
void require_moving_links(const Robot&, int most, const char* what);

}  // namespace parid::model
