// Interprets a program without a compiler: its tape runs over several registers of samples per
// instruction, so that decoding an instruction costs little compared with executing it.
//
// The interface is that of NAME_rows in codegen/emit/languages.hpp, compiled from the same program;
// an engine may use either. The bits of a row do not depend on its position.

#pragma once

#include <memory>
#include <vector>

#include "codegen/emit/program.hpp"
#include "graph/tape.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe. in and out hold one row-major array per argument of the program, `rows` × count.
// Allocates nothing; `rows` may be 0.
template <class Real>
class InterpretedKernel {
 public:
  virtual ~InterpretedKernel() = default;
  virtual void rows(long rows, const Real* const* in, Real* const* out) = 0;
};

// A program ready for interpretation, shared by the kernels of all threads, which it must outlive.
struct RowTape {
  struct Column {
    std::uint32_t argument, column, stride;
  };
  Tape tape;
  std::vector<Column> in, out;

  explicit RowTape(const Program&);
};

// With the widest instruction set of this CPU, or the one named by PARID_ISA.
std::unique_ptr<InterpretedKernel<double>> interpreted_kernel(const RowTape&);
std::unique_ptr<InterpretedKernel<float>> interpreted_kernel_float(const RowTape&);

// The kernels of one instruction set.
struct InterpreterSet {
  const char* name;
  std::unique_ptr<InterpretedKernel<double>> (*in_double)(const RowTape&);
  std::unique_ptr<InterpretedKernel<float>> (*in_float)(const RowTape&);
};
}  // namespace parid::runtime
