// Gives a robot a floating base: implements `--floating` on a description.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Connects the root link to an added link "world" by a floating joint named after the root link.
void float_root(Description&);

}  // namespace parid::model
