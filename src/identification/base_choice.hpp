// The base parameters, in the frames users know, as what a generated program takes or gives columns for.

#pragma once

#include "parid/generate/generate.hpp"

namespace parid {

// As `parid identify` has them. Where gravity is an input of the program, those that matter under some gravity.
ParameterChoice base_choice(const Robot&, bool gravity_is_input);

}  // namespace parid
