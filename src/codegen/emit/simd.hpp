// A graph as a C program over the compilers' vector types: many samples, one per lane, arrays of
// rows in and out. For machines that compile it themselves: it is written for one width, and GNU C
// (g++, clang).

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct SimdOptions {
  int lanes = 4;
  bool single_precision = false;
};

// One source with four functions:
//   void NAME_rows(long rows, const double *const *in, double *const *out)       row-major (rows,
//   n) void NAME_columns(long rows, long stride, const double *const *in, double *const *out)
//   int NAME_one(const double *const *in, double *const *out)                    one sample,
//   soonest
//   int NAME_beyond(long n, const double *x, double limit)     whether a number of x is not in
//   ±limit
// in and out hold one array per argument of the program. Columns: element k of sample r at
// [k·stride + r]. Sines are within 2 ulp up to ±1e4 rad, but a sum of angles is rounded before.
// NAME_one returns 1 where one is beyond plain_angle (scalar/angle.hpp), and NAME_beyond tells;
// compute such samples in another way.
std::string emit_simd(const Program&, const SimdOptions&);

class Lines;
// The same without a head, for other files to hold: types, helpers and the two functions, whose
// declarations up to the bracket are given. Both C and C++ read it.
void emit_simd_functions(Lines&, const Program&, const SimdOptions&, const std::string& rows,
                         const std::string& columns);

}  // namespace parid::codegen
