// Physical checks: what in a description is wrong or probably not intended.

#pragma once

#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// The errors and warnings, sorted by line, including those of the reader. At
// most most_remarks errors and most_remarks warnings besides those of the
// reader.
std::vector<Finding> check(const Description&);

}  // namespace parid::model
