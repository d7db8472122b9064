#include "base/text/characters.hpp"

namespace parid::base {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return low <= byte(i) && byte(i) <= high;
  };
  const auto tail = [&](std::size_t i) { return within(i, 0x80, 0xbf); };
  const unsigned lead = byte(0);
  if (text.empty()) return 0;
  if (lead < 0x80) return 1;
  if (within(0, 0xc2, 0xdf)) return tail(1) ? 2 : 0;
  if (within(0, 0xe0, 0xef)) {
    const bool second = within(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && tail(2) ? 3 : 0;
  }
  if (within(0, 0xf0, 0xf4)) {
    const bool second = within(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

unsigned code_point(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  unsigned point = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3f);
  return point;
}

std::size_t control_length(std::string_view text) {
  const std::size_t length = utf8_length(text);
  const auto within = [&](std::string_view low, std::string_view high) {
    const std::string_view c = text.substr(0, length);  // byte order equals character order
    return length == low.size() && low <= c && c <= high;
  };
  if (length == 1) return is_control(text[0]) ? 1 : 0;
  const bool steers = within("\xc2\x80", "\xc2\x9f") || within("\xe2\x80\xa8", "\xe2\x80\xae") ||
                      within("\xe2\x81\xa6", "\xe2\x81\xa9");
  return steers ? length : 0;
}

}  // namespace parid::base
