#include "parid/run/kernel_of.hpp"
#include "parid/run/kernel_sets.hpp"

namespace parid {

KernelSet kernels_avx2() { return kernel_set<Avx2>(); }

}  // namespace parid
