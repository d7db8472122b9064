#include "parid/run/chain_kernel_of.hpp"
#include "parid/run/kernel_sets.hpp"

namespace parid {

ChainKernelSet chain_kernels_avx512() { return chain_kernel_set<Avx512>(); }

}  // namespace parid
