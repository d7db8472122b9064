// Default classes: values of attributes that elements of a class do not give.
//
// A class inherits from the class around it. All kinds of actuators share one set of defaults, as
// in MuJoCo.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "model/format/mjcf/mjcf_document.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

struct DefaultClass {
  const DefaultClass* parent = nullptr;
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> value;  // kind, attribute

  // Its own or an inherited one; null: none.
  const std::string* find(std::string_view kind, std::string_view attribute) const;
};

class Defaults {
 public:
  explicit Defaults(const Document&);
  const DefaultClass* main() const { return main_; }
  // Throws Error if there is no such class.
  const DefaultClass* named(const std::string& name, const Document&, int line) const;

 private:
  void read(const Document&, const Element&, const DefaultClass* parent);
  DefaultClass* add(const std::string& name, const DefaultClass* parent);

  std::map<std::string, std::unique_ptr<DefaultClass>> classes_;
  DefaultClass* main_;
};

bool is_actuator(std::string_view tag);

// The kind under which defaults for a tag are kept: the tag, or "actuator" for all of those.
std::string_view default_kind(std::string_view tag);

}  // namespace parid::model::mjcf
