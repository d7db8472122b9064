#include "parid/run/interpreted_kernel.hpp"

#include <string>

#include "parid/run/interpreted_kernel_sets.hpp"
#include "parid/run/kernel.hpp"

namespace parid {
namespace {

std::vector<RowTape::Column> columns(const std::vector<Argument>& arguments) {
  std::vector<RowTape::Column> all;
  std::uint32_t argument = 0;
  for (const Argument& a : arguments) {
    const auto stride = static_cast<std::uint32_t>(a.count);
    for (std::uint32_t k = 0; k < stride; ++k) all.push_back({argument, k, stride});
    ++argument;
  }
  return all;
}

const InterpreterSet& best() {  // of the same name as the best kernels
  const std::string wanted = best_kernels().name;
  for (const InterpreterSet& s : interpreter_sets())
    if (s.name == wanted) return s;
  return interpreter_sets().front();
}

}  // namespace

RowTape::RowTape(const Program& p)
    : tape(p.graph), in(columns(p.inputs)), out(columns(p.outputs)) {}

const std::vector<InterpreterSet>& interpreter_sets() {
  static const std::vector<InterpreterSet> sets = [] {
    std::vector<InterpreterSet> all;
    for (const KernelSet& s : kernel_sets()) {
      const std::string name = s.name;
      if (name == "baseline") all.push_back(interpreters_baseline());
#if defined(__x86_64__)
      if (name == "avx2") all.push_back(interpreters_avx2());
      if (name == "avx512") all.push_back(interpreters_avx512());
#endif
    }
    return all;
  }();
  return sets;
}

std::unique_ptr<InterpretedKernel<double>> interpreted_kernel(const RowTape& tape) {
  return best().in_double(tape);
}
std::unique_ptr<InterpretedKernel<float>> interpreted_kernel_float(const RowTape& tape) {
  return best().in_float(tape);
}

}  // namespace parid
