// YAML files that xacro.load_yaml() reads, by libyaml, with the types that PyYAML's safe loader
// gives: YAML 1.1, so that `yes` is true, 010 is eight and 1e3 (without a point) is a string. The
// tags !radians, !degrees, !meters, !millimeters, !foot and !inches convert to SI units.

#pragma once

#include <string>

#include "model/format/xacro/evaluate.hpp"
#include "model/format/xacro/value.hpp"
#include "model/layer.hpp"

namespace parid::model::xacro {

// Throws Error with file and line. Numbers with a unit may be expressions: !degrees 360/7.
Value parse_yaml(const std::string& text, const std::string& file, Host&);

}  // namespace parid::model::xacro
