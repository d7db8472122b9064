#include "runtime/kernel/isa/forward_kernel_of.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

template <>
ForwardKernelSet kernels_for<ForwardKernelSet, PARID_KERNEL_ISA>() {
  return forward_kernel_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
