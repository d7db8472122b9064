// Checks of a TOML text before toml++ 3.3 parses it: on some malformed texts it asserts or
// reaches code marked unreachable instead of reporting an error. Private to the reader of robot
// files.

#pragma once

#include <string>

#include "model/layer.hpp"

namespace parid::model {

// Throws Error at the line of a byte that is not UTF-8, of a character that TOML allows in strings
// and comments only, of a string in the middle of a word, of a table header without a name, or of
// nesting more than a hundred levels deep.
void refuse_bad_text(const std::string& text, const std::string& file);

}  // namespace parid::model
