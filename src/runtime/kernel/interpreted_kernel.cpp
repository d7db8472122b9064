#include "runtime/kernel/interpreted_kernel.hpp"

#include "runtime/kernel/dispatch.hpp"

namespace parid::runtime {
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

}  // namespace

RowTape::RowTape(const Program& p)
    : tape(p.graph), in(columns(p.inputs)), out(columns(p.outputs)) {}

std::unique_ptr<InterpretedKernel<double>> interpreted_kernel(const RowTape& tape) {
  return best_kernels<InterpreterSet>().in_double(tape);
}
std::unique_ptr<InterpretedKernel<float>> interpreted_kernel_float(const RowTape& tape) {
  return best_kernels<InterpreterSet>().in_float(tape);
}

}  // namespace parid::runtime
