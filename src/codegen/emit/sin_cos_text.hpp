// Sine and cosine as C text: no branch, no table, no library, the same instructions for every
// angle.

#pragma once

#include <string>

#include "codegen/emit/lines.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct SinCosText {
  std::string name;  // of the function
  std::string real;  // double or float, or a vector of such
  std::string bits;  // the unsigned integers of the same size
  // Functions that reinterpret one as the other, or casts: "to_bits", "(I)".
  std::string to_bits, to_real;
  std::string keep;  // a macro that emit_keep() defines
  bool single_precision = false;
  std::string before = "static inline";  // the function's type
  std::string wide = "ull";              // the suffix of constants of 64 bits
};

// A macro KEEP(x) that returns x and prevents reassociation across it under -ffast-math.
void emit_keep(Lines&, const std::string& keep);

// A function static void NAME(const REAL x, REAL *sine, REAL *cosine). Its accuracy holds in every
// rounding mode, with excess precision (x87), with or without fused products, and under
// -ffast-math.
void emit_sin_cos(Lines&, const SinCosText&);

// The accuracy of emit_sin_cos, for documentation: "Within 2 ulp …".
std::string sin_cos_accuracy(bool single_precision);

}  // namespace parid::codegen
