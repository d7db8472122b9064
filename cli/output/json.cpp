#include "cli/output/json.hpp"

#include <fmt/format.h>

#include "base/text/characters.hpp"

namespace parid::cli {
namespace {

// Names in files need not be UTF-8; JSON must. It may hold characters that steer a terminal, which
// are in strings alone and mean the same as \u009b.
std::string text(const Json& j) {
  const std::string raw = j.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = raw; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (control_length(rest) > 0)
      out += fmt::format("\\u{:04x}", code_point(rest));
    else
      out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return out;
}

}  // namespace

void print(const Json& object) {
  const char* before = "{\n";
  for (const auto& [key, value] : object.items()) {
    fmt::print("{} {}: ", before, text(key));
    before = ",\n";
    if (!value.is_array() || value.empty() || !value[0].is_structured()) {
      fmt::print("{}", text(value));
      continue;
    }
    const char* open = "[\n";
    for (const Json& row : value) {
      fmt::print("{}  {}", open, text(row));
      open = ",\n";
    }
    fmt::print("\n ]");
  }
  fmt::print("\n}}\n");
}

}  // namespace parid::cli
