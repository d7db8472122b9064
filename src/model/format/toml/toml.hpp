// Parid's robot files: TOML with Denavit-Hartenberg parameters (standard or modified) or frames,
// inertias, limits, rotors. docs/robot-files.md documents every field.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error if the file cannot be read; physical errors are left to check(). With `floating`,
// the robot gets a floating base.
Description read_toml(const std::string& path, bool floating = false);
Description parse_toml(const std::string& text, const std::string& file, bool floating = false);

}  // namespace parid::model
