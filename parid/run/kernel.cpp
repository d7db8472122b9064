#include "parid/run/kernel.hpp"

#include <cstdlib>

#include "parid/error.hpp"
#include "parid/run/kernel_sets.hpp"

namespace parid {

const std::vector<KernelSet>& kernel_sets() {
  static const std::vector<KernelSet> sets = [] {
    std::vector<KernelSet> s{kernels_baseline()};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      s.push_back(kernels_avx2());
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && s.size() == 2) {
      // One sample runs no faster with 512 bits (Abreast stays at four doubles), and a little slower.
      KernelSet wide = kernels_avx512();
      wide.single = s.back().single, wide.single_float = s.back().single_float;
      s.push_back(wide);
    }
#endif
    return s;
  }();
  return sets;
}

const KernelSet& best_kernels() {
  const char* wanted = std::getenv("PARID_ISA");
  if (!wanted || !*wanted) return kernel_sets().back();
  std::string names;
  for (const KernelSet& s : kernel_sets()) {
    if (s.name == std::string(wanted)) return s;
    names += (names.empty() ? "" : ", ") + std::string(s.name);
  }
  throw Error("the environment variable PARID_ISA is '" + std::string(wanted) +
              "', which this CPU cannot run or Parid does not know; unset it, or choose from " +
              names);
}

}  // namespace parid
