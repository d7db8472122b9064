#include "report/base64.hpp"

namespace parid::report {

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = bytes.size() - k;
    const unsigned three =
        bytes[k] << 16 | (left > 1 ? bytes[k + 1] << 8 : 0) | (left > 2 ? bytes[k + 2] : 0);
    text += letters[three >> 18];
    text += letters[three >> 12 & 63];
    text += left > 1 ? letters[three >> 6 & 63] : '=';
    text += left > 2 ? letters[three & 63] : '=';
  }
  return text;
}

}  // namespace parid::report
