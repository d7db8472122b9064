// Runs on the other machine: torques of two arms by the kernels of the baseline, which there is
// NEON, for states that any machine makes alike. Prints every bit.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "model/format/parametric.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "tests/layer.hpp"

namespace parid::runtime {
template <>
KernelSet kernels_for<KernelSet, Baseline>();
template <>
ForwardKernelSet kernels_for<ForwardKernelSet, Baseline>();
}  // namespace parid::runtime

using namespace parid;
using namespace parid::test;

namespace {

void show(const char* what, const std::vector<double>& x) {
  for (const double y : x)
    std::printf("%s %016llx\n", what,
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(y)));
}

}  // namespace

int main() {
  for (const Description& d : {chain(6), orthogonal(5)}) {
    const CanonicalModel c(d);
    const std::size_t rows = 7, n = static_cast<std::size_t>(c.nv);
    std::vector<double> q(rows * n), v(q), a(q), tau(q), back(q), M(rows * n * n);
    for (std::size_t k = 0; k < q.size();
         ++k) {  // a thousandth is not a binary number: all digits count
      q[k] = 0.001 * static_cast<double>(k * k % 4001) - 2;
      v[k] = 0.001 * static_cast<double>((7 * k + 3) * k % 3001) - 1.5;
      a[k] = 0.001 * static_cast<double>((5 * k + 1) * k % 5003) - 2.5;
    }
    const KernelSet set = kernels_for<KernelSet, Baseline>();
    const auto single = set.single(c), batch = set.batch(c);
    const auto by = [&](Kernel<double>& kernel) {
      const auto lanes = static_cast<std::size_t>(kernel.lanes());
      for (std::size_t r = 0; r < rows; r += lanes)
        kernel.inverse_dynamics(&q[r * n], &v[r * n], &a[r * n], &tau[r * n],
                                static_cast<int>(std::min(lanes, rows - r)));
    };
    by(*single);
    show("single", tau);
    by(*batch);
    show("batch", tau);
    const auto forward = kernels_for<ForwardKernelSet, Baseline>().batch(c);
    const auto lanes = static_cast<std::size_t>(forward->lanes());
    for (std::size_t r = 0; r < rows; r += lanes) {
      const int some = static_cast<int>(std::min(lanes, rows - r));
      forward->forward_dynamics(&q[r * n], &v[r * n], &tau[r * n], &back[r * n], some);
      forward->mass_matrix(&q[r * n], &M[r * n * n], some);
    }
    show("forward", back);
    show("mass", M);
  }
}
