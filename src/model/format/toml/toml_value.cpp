#include "model/format/toml/toml_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "model/frame.hpp"

namespace parid::model {

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

// No -0. Beyond 2^53 not as an integer: TOML readers need not keep those, and some refuse them.
std::string toml_number(double x) {
  const std::string text = fmt::format("{}", x == 0 ? 0.0 : x);
  const bool integer = text.find_first_of(".en") == text.npos;
  return integer && std::abs(x) > 0x1p53 ? text + ".0" : text;
}

std::string toml_vector(const Vec3<double>& v) {
  return fmt::format("[{}, {}, {}]", toml_number(v.x), toml_number(v.y), toml_number(v.z));
}

std::string toml_angle(double x) {
  const int k = right_angles(x).value_or(0), size = std::abs(k);
  if (k == 0) return toml_number(x);
  const std::string text = size == 1       ? "pi/2"
                           : size == 2     ? "pi"
                           : size % 2 == 0 ? fmt::format("{}*pi", size / 2)
                                           : fmt::format("{}*pi/2", size);
  return fmt::format("\"{}{}\"", k < 0 ? "-" : "", text);
}

}  // namespace parid::model
