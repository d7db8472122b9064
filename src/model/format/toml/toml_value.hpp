// Values in TOML syntax. Numbers have the fewest digits that read back to the same value.

#pragma once

#include <string>

#include "math/vec3.hpp"
#include "model/layer.hpp"

namespace parid::model {

std::string toml_quoted(const std::string&);
std::string toml_number(double);
std::string toml_vector(const Vec3<double>&);
// Right angles by name, such as "-pi/2": only those are exact when read.
std::string toml_angle(double);

}  // namespace parid::model
