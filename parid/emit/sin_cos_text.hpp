// Sine and cosine as C text: no branch, no table, no library, the same instructions for every angle.

#pragma once

#include <string>

#include "parid/emit/lines.hpp"

namespace parid {

// A function  static void NAME(const TYPE x, TYPE *sine, TYPE *cosine).  TYPE is double or float, or a
// vector of such; arithmetic is that of `single_precision` or not.
void emit_sin_cos(Lines&, const std::string& name, const std::string& type, bool single_precision);

}  // namespace parid
