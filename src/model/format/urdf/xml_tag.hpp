// An XML element with its file and owner, so that every message about it has a place, a subject and
// a remedy. Numbers are read strictly, the same in every locale.

#pragma once

#include <tinyxml2.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec3.hpp"
#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model {

// The numbers in a text, separated by white space; none if one of them is malformed. "inf" and
// "nan" are numbers here.
std::optional<std::vector<double>> parse_numbers(std::string_view text);

class Tag {
 public:
  // `owner` is the subject of messages: "joint 'elbow'".
  Tag(const tinyxml2::XMLElement* element, const std::string& file, std::string owner)
      : element_(element),
        file_(&file),
        owner_(std::make_shared<const std::string>(std::move(owner))) {}

  std::string_view name() const { return element_->Name(); }
  const std::string& owner() const { return *owner_; }
  Place at() const { return {*file_, element_->GetLineNum()}; }
  int line() const { return element_->GetLineNum(); }
  const tinyxml2::XMLElement* element() const { return element_; }
  Tag owned_by(std::string owner) const { return {element_, *file_, std::move(owner)}; }

  std::vector<Tag> children() const;
  std::vector<Tag> children(const char* name) const;
  std::size_t count(const char* name) const;         // of those
  std::optional<Tag> child(const char* name) const;  // the first
  Tag required_child(const char* name, const std::string& example) const;
  // A child of another name that is probably meant to have this one.
  bool has_misspelt_child(std::string_view name) const;

  // Absent attributes: none, or an Error for `required_`. Malformed ones: an Error.
  std::optional<std::string> text(const char* attribute) const;
  std::string required_text(const char* attribute) const;  // not empty
  std::optional<double> number(const char* attribute, bool may_be_infinite = false) const;
  double required_number(const char* attribute) const;
  std::optional<Vec3<double>> vector(const char* attribute) const;
  double number_inside() const;  // <mechanicalReduction>50</mechanicalReduction>

 private:
  // Shared by all tags of an owner.
  using Owner = std::shared_ptr<const std::string>;
  Tag(const tinyxml2::XMLElement* element, const std::string* file, Owner owner)
      : element_(element), file_(file), owner_(std::move(owner)) {}
  Tag inside(const tinyxml2::XMLElement* element) const { return {element, file_, owner_}; }

  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const;
  double checked(double value, const std::string& what, bool may_be_infinite) const;
  std::string attribute_text(const char* attribute, std::string_view value) const;

  const tinyxml2::XMLElement* element_;
  const std::string* file_;
  Owner owner_;
};

}  // namespace parid::model
