// A graph as Graphviz sees it: operations as nodes, operands as arrows.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

std::string emit_dot(const Program&);

}  // namespace parid::codegen
