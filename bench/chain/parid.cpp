#include <fmt/format.h>

#include "bench/chain/contestant.hpp"
#include "bench/layer.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/dispatch.hpp"

namespace parid::bench {

void add_parid(ChainContestants& all, const CanonicalModel& c) {
  auto add = [&](const std::string& name, int threads, std::unique_ptr<Kernel<double>> made) {
    const std::shared_ptr<Kernel<double>> kernel = std::move(made);
    all.push_back(
        {name, threads, [=](const double* q, const double* v, const double* a, double* tau) {
           kernel->inverse_dynamics(q, v, a, tau, 1);
         }});
  };
  add("parid serial", 1, best_kernels<KernelSet>().single(c));
  const ChainKernelSet& best = best_kernels<ChainKernelSet>();
  for (int threads : {1, 2})
    add(fmt::format("parid scan, {} lanes", best.lanes), threads, best.make(c, threads));
}

}  // namespace parid::bench
