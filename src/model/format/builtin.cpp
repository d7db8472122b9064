#include "model/format/builtin.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/text/spelling.hpp"
#include "model/floating.hpp"
#include "model/format/embedded.hpp"
#include "model/format/parametric.hpp"
#include "model/format/toml/toml.hpp"

namespace parid::model {
namespace {

struct Family {
  const char* name;
  Description (*member)(int n);
};
constexpr Family families[] = {{"orthogonal", orthogonal}, {"chain", chain}};

int degrees_of_freedom(JointType type) {
  switch (type) {
    case JointType::fixed: return 0;
    case JointType::planar:
    case JointType::spherical: return 3;
    case JointType::floating: return 6;
    default: return 1;
  }
}
int degrees_of_freedom(const Description& robot) {
  int n = 0;
  for (const JointDescription& joint : robot.joints)
    if (!joint.mimic) n += degrees_of_freedom(joint.type);
  return n;
}

Description embedded(const EmbeddedRobot& robot, bool floating) {
  return parse_toml(robot.text, fmt::format("robots/{}.toml", robot.name), floating);
}

int member_size(const Family& family, const std::string& name) {
  const std::string right = fmt::format("give a number of links from 1 to {}, such as {}:7",
                                        longest_parametric, family.name);
  const std::string_view whole(name);
  const std::string_view digits = whole.substr(std::min(whole.find(':') + 1, whole.size()));
  if (whole.find(':') == whole.npos || digits.empty())
    throw Error(
        Place{name, 0},
        fmt::format("'{}' is a family of robots; the number of links is missing", family.name),
        right);
  long long n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  const bool number = end == digits.data() + digits.size();
  if (number && error == std::errc::result_out_of_range)
    throw Error(Place{name, 0}, "too many links", right);
  if (!number || error != std::errc())
    throw Error(Place{name, 0}, fmt::format("invalid number of links '{}'", digits), right);
  if (n < 1) throw Error(Place{name, 0}, "a robot needs at least one link", right);
  if (n > longest_parametric)
    throw Error(Place{name, 0}, fmt::format("{} links are too many", n), right);
  return static_cast<int>(n);
}

}  // namespace

std::vector<BuiltinRobot> builtin_robots() {
  std::vector<BuiltinRobot> all;
  for (const EmbeddedRobot& each : embedded_robots()) {
    const Description robot = embedded(each, false);
    all.push_back({each.name, robot.summary, std::to_string(degrees_of_freedom(robot))});
  }
  for (const Family& family : families)
    all.push_back({fmt::format("{}:N", family.name), "N " + family.member(1).summary, "N"});
  return all;
}

std::optional<Description> builtin(const std::string& name, bool floating) {
  for (const EmbeddedRobot& each : embedded_robots())
    if (name == each.name) return embedded(each, floating);
  for (const Family& family : families) {
    if (name.substr(0, name.find(':')) != family.name) continue;
    Description robot = family.member(member_size(family, name));
    if (floating) float_root(robot);
    return robot;
  }
  return {};
}

std::string nearest_builtin(const std::string& name) {
  std::vector<std::string> known;
  for (const EmbeddedRobot& each : embedded_robots()) known.push_back(each.name);
  for (const Family& family : families) known.push_back(family.name);
  return nearest(name, known);
}

}  // namespace parid::model
