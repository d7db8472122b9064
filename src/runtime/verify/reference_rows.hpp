// Random rows of inputs with the outputs that a generated program must give: from the library's
// kernels if they compute the same quantity, otherwise from the graph of the program.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/c_test_program.hpp"
#include "codegen/trace/generate.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct ReferenceRows {
  std::vector<ReferenceRow> rows;
  std::string by;  // what computed them
};

// The same for the same arguments.
ReferenceRows reference_rows(const Robot&, Quantity, const GenerateOptions&, const Generated&,
                             int rows);

}  // namespace parid::runtime
