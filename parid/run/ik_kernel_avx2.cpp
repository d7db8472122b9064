#include "parid/run/ik_kernel_of.hpp"

namespace parid {

IkKernelSet ik_kernels_avx2() { return ik_kernel_set<Avx2>(); }

}  // namespace parid
