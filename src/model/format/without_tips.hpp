// The same robot with every link's frame at its joint, as in URDF, instead of at the link's distal
// end.
//
// Only inertias and child joints are expressed in the new frames; torques are the same.

#pragma once

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

bool is_identity(const Pose<double>&);  // exactly
bool has_tips(const Description&);
Description without_tips(Description);

}  // namespace parid::model
