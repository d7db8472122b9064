// xacro files: expanded (expander.hpp), then read as URDF.

#pragma once

#include <string>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

// Throws Error as parse_urdf() does. Places name the files and lines of the xacro sources; the
// chain of macro calls follows the message.
Description parse_xacro(const std::string& text, const std::string& file, const LoadOptions&);

// The URDF that the file expands to, one element per line, without comments.
std::string expanded_xacro(const std::string& text, const std::string& file, const LoadOptions&);

}  // namespace parid::model
