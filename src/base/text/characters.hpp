// Classifies the bytes of a file as text.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/layer.hpp"

namespace parid::base {

// Length of the UTF-8 character at the front of `text`; 0 if there is none. Overlong forms,
// surrogates and code points above U+10FFFF are not characters (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
unsigned code_point(std::string_view text);  // of that character, which must exist

inline bool is_control(char c) {  // a tab is not one: it is harmless
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

// Length of the character at the front of `text` that controls the display instead of being shown;
// 0 if there is none. These are the control characters above; U+0080 to U+009F, which terminals
// interpret like escapes; JavaScript's line ends, U+2028 and U+2029; bidirectional marks, U+202A to
// U+202E, U+2066 to U+2069.
std::size_t control_length(std::string_view text);

}  // namespace parid::base
