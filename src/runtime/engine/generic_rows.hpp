// Every batched quantity over rows by kernels for any robot, without a traced program or a
// compiler. An Engine uses one per thread where it has no specialized kernel.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/array_size.hpp"
#include "dynamics/row_arguments.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/quantity.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/quantity_kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// The arrays of a batched quantity, in numbers per row of each.
inline constexpr std::size_t most_arrays = 12;  // of inputs, and of outputs
struct Shape {
  std::vector<std::string> in_names, out_names;
  std::vector<std::size_t> in, out;
};
// With what differs by row after the quantity's own inputs. Throws Error for a quantity that is not
// evaluated over rows.
Shape shape_of(const Robot&, Quantity, const RowLayout& = {});

class GenericRows {
 public:
  // `per_row`: all that differs by row.
  explicit GenericRows(const Robot&, const RowLayout& per_row = {});

  void set_external_loads(const ExternalLoads&);
  // Allocates memory for the quantity; rows() must follow it, and allocates nothing. `link` is the
  // index of the link, for quantities that need one.
  void prepare(Quantity);
  void rows(Quantity, int link, std::size_t rows, const double* const* in, double* const* out);
  void rows(Quantity, int link, std::size_t rows, const float* const* in, float* const* out);
  void with_friction(std::size_t rows, const double* const* in, const FrictionRows<double>& to);

 private:
  void other_rows(Quantity, int link, std::size_t rows, const double* const* in,
                  double* const* out);
  // Inputs q, v, a without the last `missing` of them, then what differs by row.
  template <class Real>
  void torques(Kernel<Real>&, Quantity, std::size_t rows, const Real* const* in, int missing,
               Real* tau) const;

  Robot robot_;
  std::size_t nq_, nv_;
  ExternalLoads external_loads_;
  std::unique_ptr<Kernel<double>> in_double_;
  std::unique_ptr<Kernel<float>> in_float_;
  std::unique_ptr<ForwardKernel> forward_;
  std::map<Quantity, std::unique_ptr<QuantityKernel>> others_;
  RowLayout per_row_;
  // Of the quantities prepared; kernels refer to the layouts.
  std::map<Quantity, Shape> shape_;
  std::map<Quantity, RowLayout> layout_;
  std::vector<double> zero_, row_in_, row_out_;
  std::vector<float> zero_float_;
};

}  // namespace parid::runtime
