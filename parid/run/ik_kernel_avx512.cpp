#include "parid/run/ik_kernel_of.hpp"

namespace parid {

IkKernelSet ik_kernels_avx512() { return ik_kernel_set<Avx512>(); }

}  // namespace parid
