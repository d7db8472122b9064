// What bytes of a file are as text.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/layer.hpp"

namespace parid::base {

// Length of the UTF-8 character at the front of `text`; 0 where there is none. Overlong forms,
// surrogates and code points past U+10FFFF are none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
unsigned code_point(std::string_view text);  // of that character, which must be there

inline bool is_control(char c) {  // a tab is none: it does no harm
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

// Length of the character at the front of `text` that steers what shows it instead of being shown;
// 0 where there is none. Those above; U+0080 to U+009F, which terminals obey as they do escapes;
// what ends a line of JavaScript, U+2028 and U+2029; what turns text around, U+202A to U+202E and
// U+2066 to U+2069.
std::size_t control_length(std::string_view text);

}  // namespace parid::base
