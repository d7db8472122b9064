#include "parid/run/kernel_of.hpp"
#include "parid/run/kernel_sets.hpp"

namespace parid {

KernelSet kernels_baseline() { return kernel_set<Baseline>(); }

}  // namespace parid
