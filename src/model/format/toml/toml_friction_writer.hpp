// What toml_friction.cpp reads of a joint, written: bearings and transmission, but not damping and
// dry friction, which URDF has too.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Keys and their values as TOML; none where the joint has nothing of the kind.
std::vector<std::pair<std::string, std::string>> friction_keys(const JointDescription&);

}  // namespace parid::model
