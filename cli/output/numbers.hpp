// Numbers on the command line: "0,0,-9.81", "gripper:5,0,0,0.1".

#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

// Comma-separated numbers; throws Error, naming the option, if they are not finite numbers.
std::vector<double> numbers(const std::string& option, const std::string& text);
std::array<double, 3> vector3(const std::string& option, const std::string& text);

// "200 000".
std::string grouped(std::size_t);

// A link's name before a colon, which is optional.
struct AtLink {
  std::string link;  // empty: none given
  std::vector<double> numbers;
};
AtLink numbers_at_link(const std::string& option, const std::string& text);

// ---- Times in readable units: 259 ns, 5.86 µs, 2 ms, 3.2 s, 2 min 5 s, 1 h 3 min.

// Three digits below a minute.
inline std::string human_time(double seconds) {
  if (!std::isfinite(seconds) || seconds == 0) return fmt::format("{:g} s", seconds);
  if (seconds < 0) return "-" + human_time(-seconds);
  constexpr struct {
    double unit;
    const char* name;
  } units[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}};
  for (const auto& u : units)  // a value that rounds to a thousand gets the next unit
    if (seconds < 999.5 * u.unit) return fmt::format("{:.3g} {}", seconds / u.unit, u.name);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const auto both = [](long whole, long part, const char* large, const char* small) {
    return part == 0 ? fmt::format("{} {}", whole, large)
                     : fmt::format("{} {} {} {}", whole, large, part, small);
  };
  const long whole = std::lround(seconds), minutes = std::lround(seconds / 60);
  return whole < 3600 ? both(whole / 60, whole % 60, "min", "s")
                      : both(minutes / 60, minutes % 60, "h", "min");
}

}  // namespace parid::cli
