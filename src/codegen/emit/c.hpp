// A graph as one C99 file: no allocation, no library, straight-line.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct COptions {
  bool single_precision = false;
  bool libm_sin_cos = false;  // math.h's instead of our own
  bool fma = false;           // products into sums by math.h's fma, for machines that have it
};

struct CFiles {
  std::string header, source;  // NAME.h, NAME.c
};
CFiles emit_c(const Program&, const COptions& = {});

// void NAME(const double q[restrict 6], …, double tau[restrict 6])
std::string c_signature(const Program&, const std::string& real);

}  // namespace parid::codegen
