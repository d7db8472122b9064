// Values that users give beside a robot file, and which of them are refused. C++, C, Python and the
// command line come through here, so that all refuse the same.

#pragma once

#include <span>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// Throws Error, "force: nan is not finite; give finite numbers", where one is not.
void require_finite(const char* name, std::span<const double> values);

// Throws Error where it is not above zero or not finite: "rate: 0; give a number above zero, such
// as 100".
void require_above_zero(const char* name, double value, const char* such_as);

// Throws Error where it is outside: "seconds: 900; give 0.5 to 600".
void require_within(const char* name, double value, double least, double most);

// Throws Error where an instant does not come after the one before it.
void require_rising(const char* name, std::span<const double> instants);

// Throws Error where no body has this mass, centre and inertia: a payload's mass is above zero, and
// its moments of inertia are such that a body can have them, which the sum with a link might hide.
void require_payload(const Inertia&);

// Throws Error for a robot of more moving links than `most`. Torques take time in proportion to the
// links; some studies take their square, cube or fourth power. `what` is the subject: "its
// program".
void require_moving_links(const Robot&, int most, const char* what);

}  // namespace parid::model
