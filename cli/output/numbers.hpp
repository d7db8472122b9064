// Numbers on the command line: "0,0,-9.81", "gripper:5,0,0,0.1".

#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/layer.hpp"

namespace parid::cli {

// Numbers between commas; throws Error, naming the option, where they are not finite numbers.
std::vector<double> numbers(const std::string& option, const std::string& text);
std::array<double, 3> vector3(const std::string& option, const std::string& text);

// "200 000".
std::string grouped(std::size_t);

// An optional link's name before a colon.
struct AtLink {
  std::string link;  // empty: none given
  std::vector<double> numbers;
};
AtLink numbers_at_link(const std::string& option, const std::string& text);

}  // namespace parid::cli
