// The base parameters, in the frames users know, as what a generated program takes or gives columns
// for.

#pragma once

#include "codegen/trace/generate.hpp"
#include "identification/layer.hpp"

namespace parid::identification {

// As `parid identify` has them. Where gravity is an input of the program, those that matter under
// some gravity.
ParameterChoice base_choice(const Robot&, bool gravity_is_input);

}  // namespace parid::identification
