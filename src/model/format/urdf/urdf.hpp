// Reads URDF with tinyxml2 and additional checks, because messages need file and line.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error if the file cannot be read as URDF; physical errors are left to check(). With
// `floating`, the robot gets a floating base.
Description read_urdf(const std::string& path, bool floating = false);
Description parse_urdf(const std::string& text, const std::string& file, bool floating = false);

}  // namespace parid::model
