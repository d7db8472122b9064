// A graph as source code, one function per language; targets.hpp has the list of languages.

#pragma once

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

// ---- One C99 file: straight-line code without allocation and without a library.

struct COptions {
  bool single_precision = false;
  bool libm_sin_cos = false;  // math.h's instead of our own
  bool fma = false;           // fuse products into sums by math.h's fma, for machines that have it
};

struct CFiles {
  std::string header, source;  // NAME.h, NAME.c
};
CFiles emit_c(const Program&, const COptions& = {});

// The source alone, with a static function, to be embedded in another file.
std::string emit_c_local(const Program&, const COptions& = {});

// void NAME(const double q[restrict 6], …, double tau[restrict 6])
std::string c_signature(const Program&, const std::string& real);

// ---- A graph as one C++ file over the compilers' vector types: many samples at once, one per
// lane, with row-major arrays. It includes nothing, and g++ and clang++ compile it for any machine.
// Lanes beyond a machine's registers are split, so the number of lanes affects only speed.

struct CppOptions {
  int lanes = 0;  // a power of two; 0: as many as 32 bytes hold
  bool single_precision = false;
};

// extern "C" void NAME(long rows, const double *q, …, double *tau): array k is (rows, count of
// argument k). extern "C" void NAME_columns(long rows, long stride, …): element k of sample r at
// [k·stride + r].
std::string emit_cpp(const Program&, const CppOptions& = {});

// ---- A graph as a C program over the compilers' vector types: many samples, one per lane, arrays
// of rows in and out. It is written for one vector width and for GNU C (g++, clang), and compiled
// on the machine that runs it.

struct SimdOptions {
  int lanes = 4;
  bool single_precision = false;
};

// One source with four functions:
//   void NAME_rows(long rows, const double *const *in, double *const *out)
//       row-major arrays (rows, n)
//   void NAME_columns(long rows, long stride, const double *const *in, double *const *out)
//   int NAME_one(const double *const *in, double *const *out)
//       one sample at the lowest latency
//   int NAME_beyond(long n, const double *x, double limit)
//       whether a number of x is not in ±limit
// in and out hold one array per argument of the program. Columns: element k of sample r at
// [k·stride + r]. Sines are within 2 ulp up to ±1e4 rad, but a sum of angles is rounded before.
// NAME_one returns 1 if an angle is beyond plain_angle (scalar/angle.hpp), which NAME_beyond tests;
// compute such samples with another kernel.
std::string emit_simd(const Program&, const SimdOptions&);

class Lines;
// The same without the head of a file, to be embedded in others: types, helpers and the two
// functions, whose declarations up to the bracket are given. Valid C and C++.
void emit_simd_functions(Lines&, const Program&, const SimdOptions&, const std::string& rows,
                         const std::string& columns);

// ---- A graph as kernels for OpenCL C 1.2 and for CUDA: one work item or thread per sample, all
// values in registers, sines and cosines as in C. Arguments are the number of samples and an array
// per input and output:
//   NAME(rows, q, …, tau)                    row-major arrays (rows, n)
//   NAME_columns(rows, stride, q, …, tau)    element k of sample r at [k·stride + r], so that
//                                            neighbouring work items read neighbouring numbers

std::string emit_opencl(const Program&, bool single_precision);
std::string emit_cuda(const Program&, bool single_precision);

// ---- A graph as one JavaScript function: arrays in, an object of arrays out.

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

// Throw parid::Error if there is no such form, or if one of its sums has too many terms; the
// message gives the number.
std::string emit_equations(const Program&);  // M12 = 0.333333333333 + 0.5 cos(q2)
std::string emit_latex(const Program&);      // an align* environment for \input

// ---- A graph for Graphviz: operations as nodes, operands as arrows.

std::string emit_dot(const Program&);

}  // namespace parid::codegen
