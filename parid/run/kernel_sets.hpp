// The instruction sets that kernels are compiled for.

#pragma once

#include "parid/run/kernel.hpp"

namespace parid {

KernelSet kernels_baseline();
#if defined(__x86_64__)
KernelSet kernels_avx2();
KernelSet kernels_avx512();
#endif

}  // namespace parid
