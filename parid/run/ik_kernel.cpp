#include "parid/run/ik_kernel.hpp"

#include <string>

#include "parid/run/kernel.hpp"

namespace parid {

const IkKernelSet& best_ik_kernels() {
  static const std::vector<IkKernelSet> sets {
    ik_kernels_baseline(),
#if defined(__x86_64__)
        ik_kernels_avx2(), ik_kernels_avx512(),
#endif
  };
  const std::string name = best_kernels().name;
  for (const IkKernelSet& s : sets)
    if (s.name == name) return s;
  return sets.front();
}

}  // namespace parid
