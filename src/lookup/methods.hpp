// The one list of torque methods by name: what `--method` chooses from and `parid compare` walks.
// All formulations, and those that must be prepared for a robot first.

#pragma once

#include "lookup/layer.hpp"
#include "runtime/method/method.hpp"

namespace parid::lookup {

const std::vector<MethodEntry>& methods();
std::string method_names();  // "uicker_kahn, waters, …"

// Throws Error with the names and a suggestion where there is no such method.
const MethodEntry& method(const std::string& id);

}  // namespace parid::lookup
