#include "runtime/kernel/isa/kernel_of.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

template <>
KernelSet kernels_for<KernelSet, PARID_KERNEL_ISA>() {
  return kernel_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
