// An element with its default class and the subject of messages about it: its attributes as text,
// numbers and vectors. Malformed attributes are an Error with file, line and remedy.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec3.hpp"
#include "model/format/mjcf/mjcf_defaults.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

class Node {
 public:
  // `defaults` may be null: then only the element's own attributes count. `owner`: "joint 'elbow'".
  Node(const Document& document, const Element& element, const DefaultClass* defaults,
       std::string owner)
      : document_(&document), element_(&element), defaults_(defaults), owner_(std::move(owner)) {}

  const Element& element() const { return *element_; }
  const std::string& owner() const { return owner_; }
  int line() const { return element_->line; }
  Place at() const { return document_->at(element_->line); }

  const std::string* text(std::string_view attribute) const;  // null: absent
  std::string text_or(std::string_view attribute, const char* otherwise) const;
  // From least to most numbers, all finite; none: the attribute is absent.
  std::optional<std::vector<double>> numbers(std::string_view attribute, std::size_t least,
                                             std::size_t most) const;
  std::optional<double> number(std::string_view attribute) const;
  double number_or(std::string_view attribute, double otherwise) const;
  std::optional<Vec3<double>> vector(std::string_view attribute) const;
  std::optional<bool> flag(std::string_view attribute) const;  // "true" or "false"
  // The index among the allowed words, including "auto" for flags that may have it.
  std::optional<int> choice(std::string_view attribute,
                            std::initializer_list<const char*> words) const;

  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const;

 private:
  std::string shown_attribute(std::string_view attribute, const std::string& value) const;

  const Document* document_;
  const Element* element_;
  const DefaultClass* defaults_;
  std::string owner_;
};

}  // namespace parid::model::mjcf
