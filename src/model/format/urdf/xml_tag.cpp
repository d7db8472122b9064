#include "model/format/urdf/xml_tag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/beyond_range.hpp"
#include "base/text/spelling.hpp"
#include "model/format/urdf/urdf_parts.hpp"

namespace parid::model {

namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

std::optional<double> parse_number(std::string_view word) {
  const std::string_view all = word;
  if (word.starts_with('+')) word.remove_prefix(1);  // from_chars does not accept a plus sign
  if (word.empty() || (all.size() > word.size() && word.front() == '-')) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return {};
  if (error == std::errc{}) return value;
  if (error != std::errc::result_out_of_range) return {};
  value = beyond_range(word);  // too small is zero, too large is malformed
  if (std::isinf(value)) return {};
  return value;
}

}  // namespace

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == text.npos) return numbers;
    const std::size_t end = std::min(text.find_first_of(white_space, begin), text.size());
    const std::optional<double> number = parse_number(text.substr(begin, end - begin));
    if (!number) return {};
    numbers.push_back(*number);
    text.remove_prefix(end);
  }
}

void Tag::fail(const std::string& wrong, const std::string& right) const {
  throw Error(at(), owner() + " " + wrong, right);
}

std::vector<Tag> Tag::children() const {
  std::vector<Tag> all;
  for (auto* e = element_->FirstChildElement(); e; e = e->NextSiblingElement())
    all.push_back(inside(e));
  return all;
}

std::vector<Tag> Tag::children(const char* name) const {
  std::vector<Tag> all;
  for (auto* e = element_->FirstChildElement(name); e; e = e->NextSiblingElement(name))
    all.push_back(inside(e));
  return all;
}

std::size_t Tag::count(const char* name) const {
  std::size_t n = 0;
  for (auto* e = element_->FirstChildElement(name); e; e = e->NextSiblingElement(name)) ++n;
  return n;
}

std::optional<Tag> Tag::child(const char* name) const {
  if (auto* e = element_->FirstChildElement(name)) return inside(e);
  return {};
}

bool Tag::has_misspelt_child(std::string_view name) const {
  const std::vector<Tag> all = children();
  return std::any_of(all.begin(), all.end(), [&](const Tag& other) {
    return other.name() != name && !nearest(other.name(), {&name, 1}).empty();
  });
}

Tag Tag::required_child(const char* name, const std::string& example) const {
  if (auto found = child(name)) return *found;
  const std::string_view wanted = name;
  for (const Tag& other : children()) {
    if (!nearest(other.name(), {&wanted, 1}).empty())
      fail(fmt::format("has no <{}>", name),
           fmt::format("did you mean <{}> by <{}> on line {}?", name, other.name(), other.line()));
  }
  fail(fmt::format("has no <{}>", name), "add " + example);
}

std::optional<std::string> Tag::text(const char* attribute) const {
  if (const char* value = element_->Attribute(attribute)) return value;
  return {};
}

std::string Tag::required_text(const char* attribute) const {
  const auto value = text(attribute);
  if (value && value->find_first_not_of(white_space) != value->npos) return *value;
  if (value)
    fail(fmt::format("has an empty attribute '{}' in <{}>", attribute, name()), "give it a value");
  const std::string_view wanted = attribute;
  for (auto* other = element_->FirstAttribute(); other; other = other->Next()) {
    if (!urdf::has_attribute(name(), other->Name()) &&
        !nearest(other->Name(), {&wanted, 1}).empty())
      fail(fmt::format("has no attribute '{}' in <{}>", attribute, name()),
           fmt::format("did you mean '{}' by '{}'?", attribute, other->Name()));
  }
  fail(fmt::format("has no attribute '{}' in <{}>", attribute, name()),
       fmt::format("add it: <{} {}=\"...\">", name(), attribute));
}

std::string Tag::attribute_text(const char* attribute, std::string_view value) const {
  if (value.size() > 80) value = value.substr(0, 80);  // messages are one line
  return fmt::format("<{} {}=\"{}\">", name(), attribute, value);
}

double Tag::checked(double value, const std::string& what, bool may_be_infinite) const {
  if (std::isnan(value) || (std::isinf(value) && !may_be_infinite))
    fail(fmt::format("has {}, which is not finite", what), "give a finite number");
  return value;
}

std::optional<double> Tag::number(const char* attribute, bool may_be_infinite) const {
  const auto value = text(attribute);
  if (!value) return {};
  const std::string what = attribute_text(attribute, *value);
  const auto numbers = parse_numbers(*value);
  if (!numbers)
    fail(fmt::format("has {}, which is not a number", what), "give one number, such as 0.5");
  if (numbers->size() != 1)
    fail(fmt::format("has {} with {} numbers", what, numbers->size()),
         "give one number, such as 0.5");
  return checked(numbers->front(), what, may_be_infinite);
}

double Tag::required_number(const char* attribute) const {
  required_text(attribute);
  return *number(attribute);
}

std::optional<Vec3<double>> Tag::vector(const char* attribute) const {
  const auto value = text(attribute);
  if (!value) return {};
  const std::string what = attribute_text(attribute, *value);
  const auto numbers = parse_numbers(*value);
  constexpr auto remedy = "give three numbers separated by spaces, such as \"0 0 0.5\"";
  if (!numbers) fail(fmt::format("has {}, which is not a list of numbers", what), remedy);
  if (numbers->size() != 3)
    fail(fmt::format("has {} with {} number{}", what, numbers->size(),
                     numbers->size() == 1 ? "" : "s"),
         remedy);
  for (const double n : *numbers) checked(n, what, false);
  return Vec3<double>{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

double Tag::number_inside() const {
  const char* inside = element_->GetText();
  const auto numbers = parse_numbers(inside ? inside : "");
  const std::string what = fmt::format("<{}>{}</{}>", name(), inside ? inside : "", name());
  if (!numbers || numbers->size() != 1)
    fail(fmt::format("has {}, which is not a number", what), "give one number, such as 50");
  return checked(numbers->front(), what, false);
}

}  // namespace parid::model
