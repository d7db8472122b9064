// How text from a file is quoted in a message: short, printable, and valid UTF-8 whatever it was.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parid {

// 'text' in single quotes; what cannot be printed becomes \xNN, what is too long ends in "...".
std::string shown(std::string_view text, std::size_t longest = 40);

bool is_utf8(std::string_view text);

inline bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace parid
