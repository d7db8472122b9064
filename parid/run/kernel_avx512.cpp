#include "parid/run/kernel_of.hpp"
#include "parid/run/kernel_sets.hpp"

namespace parid {

KernelSet kernels_avx512() { return kernel_set<Avx512>(); }

}  // namespace parid
