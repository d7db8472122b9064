#include "runtime/kernel/isa/chain_kernel_of.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {

template <>
ChainKernelSet kernels_for<ChainKernelSet, PARID_KERNEL_ISA>() {
  return chain_kernel_set<PARID_KERNEL_ISA>();
}

}  // namespace parid::runtime
