// A C program that tests a generated program on rows with known results and returns
// 0 if all are correct: for users whose compiler or machine is not among those
// tested.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct ReferenceRow {
  std::vector<double> in, out;  // all inputs and outputs, array after array
};

// `by` names the source of the expected values. Each array must be correct to 1e-10 (float: 1e-3)
// of its largest entry.
std::string c_test_program(const Program&, std::span<const ReferenceRow>, bool single_precision,
                           const std::string& by);

}  // namespace parid::codegen
