// Parses a whole TOML text, or reports the error with its line in plain words. Private to the
// readers of TOML files.

#pragma once

#include <string>

#include "model/format/toml/toml_table.hpp"
#include "model/layer.hpp"

namespace parid::model {

toml::table parsed_toml(const std::string& text, const std::string& file);

// The file's text. `what` and `example` are for messages: "a robot file such as", "robot.toml".
std::string toml_text(const std::string& path, const std::string& what, const std::string& example);

}  // namespace parid::model
