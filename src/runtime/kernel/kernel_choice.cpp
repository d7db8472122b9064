#include "runtime/kernel/kernel_choice.hpp"

#include "codegen/machine/machine_code.hpp"
#include "runtime/kernel/program_kernel.hpp"

namespace parid::runtime {
namespace {

// Quantities whose generic kernels take a time in proportion to the number of links.
bool is_sweep(Quantity which) {
  return which == Quantity::inverse_dynamics || which == Quantity::bias ||
         which == Quantity::gravity;
}

}  // namespace

// Inverse dynamics of chain:64, with 13 000 nodes, took four times the generic kernel's time, a
// humanoid's 3500 less than half.
std::size_t most_operations_of_one(Quantity which) {
  return is_sweep(which) ? 6000 : machine_operations_limit;
}
std::size_t most_operations_of_rows(Quantity which) {
  return is_sweep(which) ? 30'000 : machine_operations_limit;
}

bool worth_specializing(SpecializedSource& source, Quantity which, KernelKind kind) {
  std::string unused;
  const Program* program = source.program(unused);
  if (!program) return false;
  const std::size_t operations = program->graph.size();
  return kind == KernelKind::interpreted ? operations <= compiled_operations_limit
                                         : operations <= most_operations_of_rows(which);
}

}  // namespace parid::runtime
