// A graph as one function of JavaScript: arrays in, an object of arrays out.

#pragma once

#include "parid/emit/program.hpp"

namespace parid {

std::string emit_javascript(const Program&);

}  // namespace parid
