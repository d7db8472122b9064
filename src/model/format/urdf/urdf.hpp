// URDF, read with tinyxml2 and our own checks, because messages need file and line.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// Throws Error where the file cannot be read as URDF at all; what is physically wrong in it is left
// for check() to find. With `floating`, the root link hangs on a floating joint named after it.
Description read_urdf(const std::string& path, bool floating = false);
Description parse_urdf(const std::string& text, const std::string& file, bool floating = false);

}  // namespace parid::model
