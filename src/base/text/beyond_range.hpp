// std::from_chars reports both 1e400 and 1e-400 as out of range and gives neither ∞ nor 0. Which of
// them a number is cannot be seen by its exponent alone: a 1 with 400 zeros and e-5 behind it is
// large.

#pragma once

#include <string_view>

#include "base/layer.hpp"

namespace parid::base {

// What such a number rounds to: ±∞, ±0 or nearly 0. Alike in every locale.
double beyond_range(std::string_view number);

}  // namespace parid::base
