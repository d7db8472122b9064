// Numbers, truth values and poses of SDF elements.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "model/format/sdf/sdf_model.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/frame.hpp"

namespace parid::model::sdf {

namespace {
std::string shown(const xml::Node& n) {
  return fmt::format("<{}>{}</{}>", n.name, n.inner_text().substr(0, 80), n.name);
}
}  // namespace

std::string required_attribute(const xml::Node& n, const char* name) {
  const std::string* value = n.attribute(name);
  if (value && value->find_first_not_of(" \t\r\n") != value->npos) return *value;
  throw Error(n.at(), fmt::format("<{}> has no {}", n.name, name),
              fmt::format("add it: <{} {}=\"...\">", n.name, name));
}

std::vector<double> numbers_in(const xml::Node& n, std::size_t count) {
  const auto numbers = parse_numbers(n.inner_text());
  const std::string remedy =
      count == 1 ? "give one number, such as 0.5" : fmt::format("give {} numbers", count);
  if (!numbers) throw Error(n.at(), shown(n) + " is not numbers", remedy);
  if (numbers->size() != count)
    throw Error(n.at(), fmt::format("{} has {} numbers", shown(n), numbers->size()), remedy);
  for (const double x : *numbers)
    if (std::isnan(x)) throw Error(n.at(), shown(n) + " is not finite", "give finite numbers");
  return *numbers;
}
double number_in(const xml::Node& n) { return numbers_in(n, 1)[0]; }

bool truth_in(const xml::Node& n) {
  const std::string s = n.inner_text();
  if (s == "true" || s == "1" || s == "True") return true;
  if (s == "false" || s == "0" || s == "False") return false;
  throw Error(n.at(), shown(n) + " is not a truth value", "give true or false");
}

double child_number(const xml::Node& n, const char* name, double otherwise) {
  const xml::Node* child = n.child(name);
  return child ? number_in(*child) : otherwise;
}

Pose<double> pose_in(const xml::Node& n) {
  const std::string* format = n.attribute("rotation_format");
  const std::string* degrees = n.attribute("degrees");
  if (n.inner_text().empty()) return {};
  const bool quaternion = format && *format == "quat_xyzw";
  if (format && !quaternion && *format != "euler_rpy")
    throw Error(n.at(), fmt::format("rotation_format '{}' is not known", format->substr(0, 80)),
                "give euler_rpy or quat_xyzw");
  const std::vector<double> x = numbers_in(n, quaternion ? 7 : 6);
  for (const double v : x)
    if (!std::isfinite(v)) throw Error(n.at(), shown(n) + " is not finite", "give finite numbers");
  if (!quaternion) {
    const bool in_degrees = degrees && (*degrees == "true" || *degrees == "1");
    const double unit = in_degrees ? std::numbers::pi / 180 : 1;
    return {rotation_rpy({x[3] * unit, x[4] * unit, x[5] * unit}), {x[0], x[1], x[2]}};
  }
  const double length = std::sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
  if (!(length > 0) || !std::isfinite(length))
    throw Error(n.at(), shown(n) + " has a quaternion without direction",
                "give x y z qx qy qz qw, such as 0 0 0 0 0 0 1");
  return {rotation_of(x[3] / length, x[4] / length, x[5] / length, x[6] / length),
          {x[0], x[1], x[2]}};
}

}  // namespace parid::model::sdf
