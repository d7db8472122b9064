// The list of torque methods by name, used by `--method` and `parid compare`: all formulations, and
// those that must be prepared for a robot first.

#pragma once

#include "lookup/layer.hpp"
#include "runtime/method/method.hpp"

namespace parid::lookup {

const std::vector<MethodEntry>& methods();
std::string method_names();  // "uicker_kahn, waters, …"

// Throws Error with all names and the nearest one if the id is unknown.
const MethodEntry& method(const std::string& id);

}  // namespace parid::lookup
