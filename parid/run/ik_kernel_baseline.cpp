#include "parid/run/ik_kernel_of.hpp"

namespace parid {

IkKernelSet ik_kernels_baseline() { return ik_kernel_set<Baseline>(); }

}  // namespace parid
