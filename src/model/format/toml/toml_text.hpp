// What must hold of a TOML text before toml++ 3.3 may see it: on some malformed texts it asserts or
// runs into what it calls unreachable, where it should refuse. Private to the reader of robot
// files.

#pragma once

#include <string>

#include "model/layer.hpp"

namespace parid::model {

// Throws Error at the line of a byte that is not UTF-8, of a character that TOML has in strings and
// comments only, of a string in the middle of a word, of a table header without a name, or of what
// is nested more than a hundred deep.
void refuse_bad_text(const std::string& text, const std::string& file);

}  // namespace parid::model
