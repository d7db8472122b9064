// Robot files with impossible inertias are those that need identification most: turns such a file
// into a usable prior.

#pragma once

#include <string>
#include <vector>

#include "identification/layer.hpp"
#include "model/description.hpp"

namespace parid::identification {

// Replaces physically impossible inertias by the nearest possible ones. A last link without mass
// gets a ball of 1 kg and 0.1 m, and so does a link between joints if these could move without
// moving mass; other massless links may be intended and stay. Each change is noted.
Description usable_prior(Description, std::vector<std::string>& notes);

}  // namespace parid::identification
