// Physical lint: what in a description cannot be right, or is probably not meant.

#pragma once

#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// What was found, errors and warnings, in the order of the file's lines; the loader's own remarks
// are among them. Of errors and of warnings that are not the loader's, no more than most_remarks
// each.
std::vector<Finding> check(const Description&);

}  // namespace parid::model
