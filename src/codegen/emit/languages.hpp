// A graph as source code, one function per language; targets.hpp has the list of languages.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

// ---- One C99 file: no allocation, no library, straight-line.

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

// ---- A graph as one C++ file over the compilers' vector types: many samples at once, one per
// lane, with row-major arrays. It includes nothing, and g++ and clang++ compile it for any machine;
// lanes beyond a machine's registers are split, so what it is written for is a matter of speed.

struct CppOptions {
  int lanes = 0;  // a power of two; 0: 32 bytes of them
  bool single_precision = false;
};

// extern "C" void NAME(long rows, const double *q, …, double *tau): array k is (rows, count of
// argument k). extern "C" void NAME_columns(long rows, long stride, …): element k of sample r at
// [k·stride + r].
std::string emit_cpp(const Program&, const CppOptions& = {});

// ---- A graph as a C program over the compilers' vector types: many samples, one per lane, arrays
// of rows in and out. For machines that compile it themselves: it is written for one width, and GNU
// C (g++, clang).

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

// ---- A graph as one function of JavaScript: arrays in, an object of arrays out.

std::string emit_javascript(const Program&);

// ---- A graph as a subroutine of Fortran 2003 in a module.

struct FortranFile {
  std::string name;  // of the subroutine, which may differ from the program's: Fortran has fewer
  std::string text;
};
FortranFile emit_fortran(const Program&, bool single_precision);

// ---- A graph as a function file of MATLAB and GNU Octave: arrays with a column per sample.

struct MatlabFile {
  std::string name;  // of the function and its file
  std::string text;
};
MatlabFile emit_matlab(const Program&);

// ---- A graph as closed formulas, to be read: every output a trigonometric polynomial
// (graph/expand.hpp), as plain text or for LaTeX. The head says how many terms there are and what
// they would cost, beside what the program costs: how closed forms swell.

// Throw parid::Error where there is no such form, or one of its sums has too many terms; with the
// count.
std::string emit_equations(const Program&);  // M12 = 0.333333333333 + 0.5 cos(q2)
std::string emit_latex(const Program&);      // an align* environment, to be included

// ---- A graph as Graphviz sees it: operations as nodes, operands as arrows.

std::string emit_dot(const Program&);

}  // namespace parid::codegen
