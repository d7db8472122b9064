// A C program that tries an emitted one on rows whose answers are known, and returns 0 where it
// finds all of them right: for those who compile generated code with a compiler, or for a machine,
// that we have not seen.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct ReferenceRow {
  std::vector<double> in, out;  // of all inputs and outputs, array after array
};

// `by` says who worked the answers out. Each array must be right to 1e-10 (float: 1e-3) of its
// largest entry.
std::string c_test_program(const Program&, std::span<const ReferenceRow>, bool single_precision,
                           const std::string& by);

}  // namespace parid::codegen
