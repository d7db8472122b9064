// What bytes of a file are as text.

#pragma once

#include <cstddef>
#include <string_view>

namespace parid {

// Length of the UTF-8 character at the front of `text`; 0 where there is none. Overlong forms,
// surrogates and code points past U+10FFFF are none (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);

inline bool is_control(char c) {  // a tab is none: it does no harm
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace parid
