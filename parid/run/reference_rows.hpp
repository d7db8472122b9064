// Rows of inputs by chance with answers that a generated program must give: by the library's own kernels
// where they answer the same question, and otherwise by the graph the program was written from.

#pragma once

#include <string>
#include <vector>

#include "parid/emit/c_test_program.hpp"
#include "parid/generate/generate.hpp"

namespace parid {

struct ReferenceRows {
  std::vector<ReferenceRow> rows;
  std::string by;  // who worked them out
};

// The same for the same arguments.
ReferenceRows reference_rows(const Robot&, const std::string& what, const GenerateOptions&,
                             const Generated&, int rows);

}  // namespace parid
