#include "runtime/kernel/dispatch.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "parid/error.hpp"
#include "runtime/kernel/machine_rows.hpp"

namespace parid::runtime {

// Defined in isa/; the declarations prevent instantiation here.
#define PARID_DECLARE_KERNELS(Isa)                       \
  template <>                                            \
  KernelSet kernels_for<KernelSet, Isa>();               \
  template <>                                            \
  ChainKernelSet kernels_for<ChainKernelSet, Isa>();     \
  template <>                                            \
  ForwardKernelSet kernels_for<ForwardKernelSet, Isa>(); \
  template <>                                            \
  IkKernelSet kernels_for<IkKernelSet, Isa>();           \
  template <>                                            \
  InterpreterSet kernels_for<InterpreterSet, Isa>();     \
  template <>                                            \
  MachineSet kernels_for<MachineSet, Isa>();             \
  template <>                                            \
  QuantityKernelSet kernels_for<QuantityKernelSet, Isa>();
PARID_DECLARE_KERNELS(Baseline)
PARID_DECLARE_KERNELS(Avx2)
PARID_DECLARE_KERNELS(Avx512)
#undef PARID_DECLARE_KERNELS

namespace {

// One sample is slightly slower with 512 bits (PackedLinks stays at four doubles).
template <class Family>
void keep_single_sample(Family&, const Family&) {}
template <>
[[maybe_unused]] void keep_single_sample(KernelSet& wide, const KernelSet& narrower) {
  wide.single = narrower.single;
  wide.single_float = narrower.single_float;
}
template <>
[[maybe_unused]] void keep_single_sample(ForwardKernelSet& wide, const ForwardKernelSet& narrower) {
  wide.single = narrower.single;
}
template <>
[[maybe_unused]] void keep_single_sample(QuantityKernelSet& wide,
                                         const QuantityKernelSet& narrower) {
  wide.single = narrower.single;
}

template <class Family>
std::vector<Family> supported() {
  std::vector<Family> sets{kernels_for<Family, Baseline>()};
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return sets;
  sets.push_back(kernels_for<Family, Avx2>());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    Family wide = kernels_for<Family, Avx512>();
    keep_single_sample(wide, sets.back());
    sets.push_back(wide);
  }
#endif
  return sets;
}

}  // namespace

template <class Family>
const std::vector<Family>& kernel_sets() {
  static const std::vector<Family> sets = supported<Family>();
  return sets;
}

template <class Family>
const Family& best_kernels() {
  const std::vector<Family>& sets = kernel_sets<Family>();
  const char* wanted = std::getenv("PARID_ISA");
  if (!wanted || !*wanted) return sets.back();
  std::string names;
  for (const Family& s : sets) {
    if (s.name == std::string(wanted)) return s;
    names += (names.empty() ? "" : ", ") + std::string(s.name);
  }
  throw Error("the environment variable PARID_ISA is '" + std::string(wanted) +
              "', which is unknown or not supported by this CPU; unset it, or choose from " +
              names);
}

template const std::vector<KernelSet>& kernel_sets();
template const std::vector<ChainKernelSet>& kernel_sets();
template const std::vector<InterpreterSet>& kernel_sets();
template const std::vector<MachineSet>& kernel_sets();
template const std::vector<QuantityKernelSet>& kernel_sets();
template const KernelSet& best_kernels();
template const ChainKernelSet& best_kernels();
template const ForwardKernelSet& best_kernels();
template const IkKernelSet& best_kernels();
template const InterpreterSet& best_kernels();
template const MachineSet& best_kernels();
template const QuantityKernelSet& best_kernels();

}  // namespace parid::runtime
