// Rows of samples for machine code that evaluates a register of them at a time
// (codegen/machine/machine_code.hpp): rows are transposed into registers and back.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codegen/machine/machine_code.hpp"
#include "runtime/kernel/program_kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe. As the functions of ProgramKernel; allocates nothing.
template <class Real>
class MachineRows {
 public:
  virtual ~MachineRows() = default;
  virtual void rows(std::size_t rows, const Real* const* in, Real* const* out) = 0;
  virtual void columns(std::size_t rows, std::size_t stride, const Real* const* in,
                       Real* const* out) = 0;
  virtual bool beyond(std::size_t n, const Real* x, Real limit) const = 0;
};

// Code and the columns of each argument. Kernels of several threads share it; it must outlive them.
struct MachineProgram {
  std::unique_ptr<MachineCode> code;
  std::vector<std::size_t> in, out;
};

// The kernels of one instruction set; null for one without machine code.
struct MachineSet {
  const char* name;
  std::unique_ptr<MachineRows<double>> (*in_double)(const MachineProgram&);
  std::unique_ptr<MachineRows<float>> (*in_float)(const MachineProgram&);
};

// The program as machine code for one of these sets; null, with the reason in `note`, if there is
// none.
template <class Real>
std::unique_ptr<ProgramKernel<Real>> machine_kernel(const Program&, const MachineSet&,
                                                    std::string& note);

}  // namespace parid::runtime
