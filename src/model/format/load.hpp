// A robot by name or path, as its file says it.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// A built-in name ("puma560", "chain:12") or a path to a .urdf or .toml file. Throws Error where it
// cannot be understood; what is physically wrong is check()'s to find.
Description load_description(const std::string& name_or_path, bool floating = false);

}  // namespace parid::model
