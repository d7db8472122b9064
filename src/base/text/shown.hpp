// How text from a file is quoted in a message: short, printable, and valid UTF-8 whatever it was.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/layer.hpp"
#include "base/text/characters.hpp"

namespace parid::base {

// 'text' in single quotes; what cannot be printed becomes \xNN, what is too long ends in "...".
std::string shown(std::string_view text, std::size_t longest = 40);

}  // namespace parid::base
