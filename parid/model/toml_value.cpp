#include "parid/model/toml_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace parid {

std::string toml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      out += c;
  return out + "\"";
}

std::string toml_number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }  // no -0

std::string toml_vector(const Vec3<double>& v) {
  return fmt::format("[{}, {}, {}]", toml_number(v.x), toml_number(v.y), toml_number(v.z));
}

std::string toml_angle(double x) {
  const double quarters = x / (std::numbers::pi / 2), whole = std::round(quarters);
  if (whole == 0 || std::abs(quarters - whole) > 1e-15 * std::abs(whole)) return toml_number(x);
  const int k = static_cast<int>(whole), size = std::abs(k);
  const std::string text = size == 1       ? "pi/2"
                           : size == 2     ? "pi"
                           : size % 2 == 0 ? fmt::format("{}*pi", size / 2)
                                           : fmt::format("{}*pi/2", size);
  return fmt::format("\"{}{}\"", k < 0 ? "-" : "", text);
}

}  // namespace parid
