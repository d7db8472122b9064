// Physical lint: what in a description cannot be right, or is probably not meant.

#pragma once

#include <vector>

#include "parid/model/description.hpp"

namespace parid {

// Everything found, errors and warnings, in the order of the file's lines; the loader's own remarks
// are among them.
std::vector<Finding> check(const Description&);

}  // namespace parid
