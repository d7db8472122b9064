#include "parid/run/forward_kernel.hpp"

#include <string>

#include "parid/run/kernel.hpp"

namespace parid {

const ForwardKernelSet& best_forward_kernels() {
  static const ForwardKernelSet set = [] {
    const std::string name = best_kernels().name;
#if defined(__x86_64__)
    if (name == "avx512") {
      ForwardKernelSet wide = forward_kernels_avx512();
      wide.single =
          forward_kernels_avx2().single;  // as for torques: one sample has no use for 512 bits
      return wide;
    }
    if (name == "avx2") return forward_kernels_avx2();
#endif
    return forward_kernels_baseline();
  }();
  return set;
}

}  // namespace parid
