// A robot whose root link is free: what `--floating` does to a description.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The root link hangs on a floating joint named after it, from an added link "world".
void float_root(Description&);

}  // namespace parid::model
