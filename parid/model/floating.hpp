// A robot whose root link is free: what `--floating` does to a description.

#pragma once

#include <string>

#include "parid/model/description.hpp"

namespace parid {

// The root link hangs on a floating joint named after it, from an added link "world". A root that
// carries nothing but a floating joint already is such a world, and stays as it is.
void float_root(Description& robot, const std::string& root);

}  // namespace parid
