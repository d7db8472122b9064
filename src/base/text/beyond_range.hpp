// std::from_chars reports both 1e400 and 1e-400 as out of range and returns neither ∞ nor
// 0. The exponent alone does not decide which one it is: a 1 with 400 zeros and e-5 is
// large.

#pragma once

#include <string_view>

#include "base/layer.hpp"

namespace parid::base {

// The rounded value of such a number: ±∞, ±0 or nearly 0. The same in every locale.
double beyond_range(std::string_view number);

}  // namespace parid::base
