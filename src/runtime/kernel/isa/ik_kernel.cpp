#include "runtime/kernel/isa/ik_kernel_of.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

template <>
IkKernelSet kernels_for<IkKernelSet, PARID_KERNEL_ISA>() {
  return ik_kernel_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
