#include "parid/run/forward_kernel_of.hpp"

namespace parid {

ForwardKernelSet forward_kernels_baseline() { return forward_kernel_set<Baseline>(); }

}  // namespace parid
