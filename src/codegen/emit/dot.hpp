// A graph as Graphviz sees it: operations as nodes, operands as arrows.

#pragma once

#include "parid/emit/program.hpp"

namespace parid {

std::string emit_dot(const Program&);

}  // namespace parid
