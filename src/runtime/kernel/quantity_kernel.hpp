// Any quantity with an evaluator (dynamics/evaluator/evaluator.hpp), rows in lanes, compiled for
// one instruction set; the companion of Kernel and ForwardKernel.

#pragma once

#include <memory>
#include <vector>

#include "dynamics/row_arguments.hpp"
#include "model/state.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Belongs to one thread. Rows are samples, one after another in each array; `rows` ≤ lanes() of
// them are read and written.
class QuantityKernel {
 public:
  virtual ~QuantityKernel() = default;
  virtual int lanes() const = 0;
  virtual void rows(int link, const double* const* in, double* const* out, int rows) = 0;
  virtual void set_base_motion(const BaseMotion<double>&) = 0;  // in frame 0
  // on links [0..n]; empty: none
  virtual void set_external(const std::vector<Wrench<double>>&) = 0;
};

// `in` and `out`: numbers per row of each array; what differs by row follows the quantity's own
// inputs, and its layout must outlive the kernel. Null for a quantity without an evaluator.
struct QuantityKernelSet {
  const char* name;
  std::unique_ptr<QuantityKernel> (*batch)(const Robot&, Quantity, const RowLayout&,
                                           const std::vector<std::size_t>& in,
                                           const std::vector<std::size_t>& out);
  // One sample of a gradient or of its product from the left; null for other quantities.
  std::unique_ptr<QuantityKernel> (*single)(const Robot&, Quantity,
                                            const std::vector<std::size_t>& in,
                                            const std::vector<std::size_t>& out);
};

}  // namespace parid::runtime
