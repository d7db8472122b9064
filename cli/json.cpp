#include "cli/json.hpp"

#include <fmt/format.h>

namespace parid::cli {
namespace {

// Names in files need not be UTF-8; JSON must.
std::string text(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
