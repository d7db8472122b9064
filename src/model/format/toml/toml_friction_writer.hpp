// Writes what toml_friction.cpp reads: bearings and transmission, without damping and dry friction,
// which URDF has too.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Keys and their values as TOML; empty if the joint has none of them.
std::vector<std::pair<std::string, std::string>> friction_keys(const JointDescription&);

}  // namespace parid::model
