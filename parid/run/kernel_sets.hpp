// The instruction sets that kernels are compiled for.

#pragma once

#include "parid/run/chain_kernel.hpp"
#include "parid/run/kernel.hpp"

namespace parid {

KernelSet kernels_baseline();
#if defined(__x86_64__)
KernelSet kernels_avx2();
KernelSet kernels_avx512();
#endif

ChainKernelSet chain_kernels_baseline();
ChainKernelSet chain_kernels_avx2();
ChainKernelSet chain_kernels_avx512();

}  // namespace parid
