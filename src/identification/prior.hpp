// A robot file whose inertias are impossible is the very one that needs identification: here it
// becomes one to start from.

#pragma once

#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "model/description.hpp"

namespace parid::identification {

// Inertias that no body has become the nearest that one can have. A last link without mass is given
// a ball of 1 kg and 0.1 m, and so is one between joints, where these could move without moving any
// mass; else that may be meant. Each change is noted. Everything else is left as it is.
Description usable_prior(Description, std::vector<std::string>& notes);

}  // namespace parid::identification
