#include "base/text/shown.hpp"

namespace parid::base {

std::string shown(std::string_view text, std::size_t longest) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out = "'";
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == longest) return out + "...'";
    const std::size_t length = utf8_length(text);
    if (length == 0 || control_length(text) > 0 || text[0] == '\t') {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out + "'";
}

}  // namespace parid::base
