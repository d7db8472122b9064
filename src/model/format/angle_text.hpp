// Angles in readable form.

#pragma once

#include <optional>
#include <string_view>

#include "model/layer.hpp"

namespace parid::model {

// "pi/2", "-pi/2", "2*pi/3", "90 deg", "-45deg", "pi/2 + 10 deg", "1.2": radians, by + - * / ( ),
// pi and deg. None if the text is not such an expression, or its value is not finite.
std::optional<double> parse_angle(std::string_view text);

}  // namespace parid::model
