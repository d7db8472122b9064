#include "parid/run/forward_kernel_of.hpp"

namespace parid {

ForwardKernelSet forward_kernels_avx2() { return forward_kernel_set<Avx2>(); }

}  // namespace parid
