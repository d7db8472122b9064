// Our own robot files: TOML with Denavit-Hartenberg parameters (standard or modified) or frames,
// inertias, limits, rotors. docs/robot-files.md documents every field.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error where the file cannot be understood; what is physically wrong is check()'s to find.
// With `floating`, the root link hangs on a floating joint named after it.
Description read_toml(const std::string& path, bool floating = false);
Description parse_toml(const std::string& text, const std::string& file, bool floating = false);

}  // namespace parid::model
