// A program run as it is, without a compiler: its tape over registers of samples, as many
// instructions' worth of samples at a time as make the reading of an instruction small against the
// doing.
//
// Rows in, rows out, as the function NAME_rows of codegen/emit/languages.hpp, which a compiler
// makes of the same program: an engine may take either. A row's bits do not depend on where it
// stands.

#pragma once

#include <memory>
#include <vector>

#include "codegen/emit/program.hpp"
#include "graph/tape.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Belongs to one thread. in and out hold one row-major array per argument of the program, `rows` ×
// count; nothing is allocated, and no rows are no work.
template <class Real>
class InterpretedKernel {
 public:
  virtual ~InterpretedKernel() = default;
  virtual void rows(long rows, const Real* const* in, Real* const* out) = 0;
};

// A program ready to be interpreted: shared by the kernels of all threads, which it must outlive.
struct RowTape {
  struct Column {
    std::uint32_t argument, column, stride;
  };
  Tape tape;
  std::vector<Column> in, out;

  explicit RowTape(const Program&);
};

// By the widest instruction set this CPU has, or the one that PARID_ISA names.
std::unique_ptr<InterpretedKernel<double>> interpreted_kernel(const RowTape&);
std::unique_ptr<InterpretedKernel<float>> interpreted_kernel_float(const RowTape&);

// The kernels one instruction set has.
struct InterpreterSet {
  const char* name;
  std::unique_ptr<InterpretedKernel<double>> (*in_double)(const RowTape&);
  std::unique_ptr<InterpretedKernel<float>> (*in_float)(const RowTape&);
};
}  // namespace parid::runtime
