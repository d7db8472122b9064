#include "runtime/kernel/isa/interpreted_kernel_of.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

template <>
InterpreterSet kernels_for<InterpreterSet, PARID_KERNEL_ISA>() {
  return interpreter_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
