// A graph as closed formulas, to be read: every output a trigonometric polynomial
// (graph/expand.hpp), as plain text or for LaTeX. The head says how many terms there are and what
// they would cost, beside what the program costs: how closed forms swell.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

// Throw parid::Error where there is no such form, or one of its sums has too many terms; with the
// count.
std::string emit_equations(const Program&);  // M12 = 0.333333333333 + 0.5 cos(q2)
std::string emit_latex(const Program&);      // an align* environment, to be included

}  // namespace parid::codegen
