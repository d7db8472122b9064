#include "model/format/mjcf/mjcf_node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text/shown.hpp"
#include "model/format/urdf/xml_tag.hpp"

namespace parid::model::mjcf {

void Node::fail(const std::string& wrong, const std::string& right) const {
  throw Error(at(), owner_ + " " + wrong, right);
}

const std::string* Node::text(std::string_view attribute) const {
  if (const std::string* own = element_->attribute(attribute)) return own;
  return defaults_ ? defaults_->find(default_kind(element_->name), attribute) : nullptr;
}

std::string Node::text_or(std::string_view attribute, const char* otherwise) const {
  const std::string* found = text(attribute);
  return found ? *found : otherwise;
}

std::string Node::shown_attribute(std::string_view attribute, const std::string& value) const {
  return fmt::format("{}={}", attribute, shown(value, 80));
}

std::optional<std::vector<double>> Node::numbers(std::string_view attribute, std::size_t least,
                                                 std::size_t most) const {
  const std::string* value = text(attribute);
  if (!value) return {};
  auto found = parse_numbers(*value);
  const std::string wanted =
      least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  const std::string remedy = fmt::format("give {} number{}", wanted, most == 1 ? "" : "s");
  if (!found)
    fail(fmt::format("has {}, which is not a list of numbers", shown_attribute(attribute, *value)),
         remedy);
  if (found->size() < least || found->size() > most)
    fail(fmt::format("has {} with {} numbers", shown_attribute(attribute, *value), found->size()),
         remedy);
  for (const double x : *found)
    if (!std::isfinite(x))
      fail(fmt::format("has {}, which is not finite", shown_attribute(attribute, *value)),
           "give finite numbers");
  return found;
}

std::optional<double> Node::number(std::string_view attribute) const {
  if (const auto one = numbers(attribute, 1, 1)) return one->front();
  return {};
}

double Node::number_or(std::string_view attribute, double otherwise) const {
  return number(attribute).value_or(otherwise);
}

std::optional<Vec3<double>> Node::vector(std::string_view attribute) const {
  if (const auto n = numbers(attribute, 3, 3)) return Vec3<double>{(*n)[0], (*n)[1], (*n)[2]};
  return {};
}

std::optional<bool> Node::flag(std::string_view attribute) const {
  if (const auto which = choice(attribute, {"false", "true"})) return *which == 1;
  return {};
}

std::optional<int> Node::choice(std::string_view attribute,
                                std::initializer_list<const char*> words) const {
  const std::string* value = text(attribute);
  if (!value) return {};
  int index = 0;
  for (const char* word : words) {
    if (*value == word) return index;
    ++index;
  }
  fail(fmt::format("has {}", shown_attribute(attribute, *value)),
       fmt::format("give one of {}", fmt::join(words, ", ")));
}

}  // namespace parid::model::mjcf
