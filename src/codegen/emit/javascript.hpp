// A graph as one function of JavaScript: arrays in, an object of arrays out.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

std::string emit_javascript(const Program&);

}  // namespace parid::codegen
