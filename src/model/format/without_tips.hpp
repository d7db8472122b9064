// The same robot with every link's frame at its joint, as URDF wants it, instead of at the link's
// far end.
//
// Inertias, the joints that stand on a link, and nothing else move; torques are the same.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

bool has_tips(const Description&);
Description without_tips(Description);

}  // namespace parid::model
