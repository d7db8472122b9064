// A graph as one C++ file over the compilers' vector types: many samples at once, one per lane,
// row-major arrays at the door. It includes nothing, and g++ and clang++ compile it for any
// machine; lanes beyond a machine's registers are split, so what it is written for is a matter of
// speed.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct CppOptions {
  int lanes = 0;  // a power of two; 0: 32 bytes of them
  bool single_precision = false;
};

// extern "C" void NAME(long rows, const double *q, …, double *tau): array k is (rows, count of
// argument k). extern "C" void NAME_columns(long rows, long stride, …): element k of sample r at
// [k·stride + r].
std::string emit_cpp(const Program&, const CppOptions& = {});

}  // namespace parid::codegen
