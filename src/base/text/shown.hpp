// Quotes text from a file in a message: short, printable, and always valid UTF-8.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/layer.hpp"
#include "base/text/characters.hpp"

namespace parid::base {

// 'text' in single quotes; unprintable bytes become \xNN, and long text ends in "...".
std::string shown(std::string_view text, std::size_t longest = 40);

}  // namespace parid::base
