// Kernels for which the compiler's own limits of inlining are faster than those of the others
// (src/runtime/CMakeLists.txt).

#include "dynamics/evaluator/directional_evaluator.hpp"
#include "dynamics/evaluator/gradient_evaluator.hpp"
#include "runtime/kernel/isa/quantity_kernel_of.hpp"

namespace parid::runtime {

std::unique_ptr<QuantityKernel> directional_kernel(PARID_KERNEL_ISA, const Robot& robot,
                                                   Quantity which, const RowLayout& rows,
                                                   const std::vector<std::size_t>& in,
                                                   const std::vector<std::size_t>& out) {
  using T = Pack<lanes_of<PARID_KERNEL_ISA, double>, double, PARID_KERNEL_ISA>;
  return quantity_kernel<T>(dynamics::make_directional_evaluator<T>(robot, which, &rows), in, out);
}

std::unique_ptr<QuantityKernel> single_gradient_kernel(PARID_KERNEL_ISA, const Robot& robot,
                                                       Quantity which,
                                                       const std::vector<std::size_t>& in,
                                                       const std::vector<std::size_t>& out) {
  using T = Pack<1, double, OneLink<PARID_KERNEL_ISA>>;
  return quantity_kernel<T>(dynamics::make_gradient_evaluator<T>(robot, which), in, out);
}

}  // namespace parid::runtime
