#include "dynamics/evaluator/evaluator.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/isa/quantity_kernel_of.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {
namespace {

template <class Isa>
std::unique_ptr<QuantityKernel> make_quantity_kernel(const Robot& robot, Quantity which,
                                                     const RowLayout& rows,
                                                     const std::vector<std::size_t>& in,
                                                     const std::vector<std::size_t>& out) {
  using T = Pack<lanes_of<Isa, double>, double, Isa>;
  if (auto kernel = directional_kernel(Isa(), robot, which, rows, in, out)) return kernel;
  if (auto e = dynamics::make_gradient_evaluator<T>(robot, which, &rows))
    return quantity_kernel<T>(std::move(e), in, out);
  return quantity_kernel<T>(dynamics::make_plain_evaluator<T>(robot, which, &rows), in, out);
}

template <class Isa>
std::unique_ptr<QuantityKernel> make_single_kernel(const Robot& robot, Quantity which,
                                                   const std::vector<std::size_t>& in,
                                                   const std::vector<std::size_t>& out) {
  return single_gradient_kernel(Isa(), robot, which, in, out);
}

}  // namespace

template <>
QuantityKernelSet kernels_for<QuantityKernelSet, PARID_KERNEL_ISA>() {
  return {PARID_KERNEL_ISA::name, make_quantity_kernel<PARID_KERNEL_ISA>,
          make_single_kernel<PARID_KERNEL_ISA>};
}

}  // namespace parid::runtime
