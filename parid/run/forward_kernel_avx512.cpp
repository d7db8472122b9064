#include "parid/run/forward_kernel_of.hpp"

namespace parid {

ForwardKernelSet forward_kernels_avx512() { return forward_kernel_set<Avx512>(); }

}  // namespace parid
