// The base parameters, in the user's frames, as arguments or columns of a generated program.

#pragma once

#include "codegen/trace/generate.hpp"
#include "identification/layer.hpp"

namespace parid::identification {

// As in `parid identify`. If gravity is an input of the program, those that matter under some
// gravity.
ParameterChoice base_choice(const Robot&, bool gravity_is_input);

}  // namespace parid::identification
