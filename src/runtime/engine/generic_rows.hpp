// Every batched quantity over rows by kernels for any robot, without a traced program or a
// compiler. An Engine uses one per thread where it has no specialized kernel.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parid/inverse_dynamics.hpp"
#include "parid/quantity.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/quantity_kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Dimensions of an array of one sample of this robot: {} for one number, {nv}, {nv, nv}, … Without
// the steps of a rollout, which are not a property of the robot.
std::vector<std::size_t> dimensions(const Robot&, ArrayShape);
std::size_t count(const Robot&, ArrayShape);  // their product

// The arrays of a batched quantity, in numbers per row of each.
inline constexpr std::size_t most_arrays = 8;  // of inputs, and of outputs
struct Shape {
  std::vector<std::string> in_names, out_names;
  std::vector<std::size_t> in, out;
};
// Throws Error for a quantity that is not evaluated over rows.
Shape shape_of(const Robot&, Quantity);

class GenericRows {
 public:
  explicit GenericRows(const Robot&);

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
  template <class Real>
  void torques(Kernel<Real>&, std::size_t rows, const Real* q, const Real* v, const Real* a,
               Real* tau) const;

  Robot robot_;
  std::size_t nq_, nv_;
  ExternalLoads external_loads_;
  std::unique_ptr<Kernel<double>> in_double_;
  std::unique_ptr<Kernel<float>> in_float_;
  std::unique_ptr<ForwardKernel> forward_;
  std::map<Quantity, std::unique_ptr<QuantityKernel>> others_;
  std::map<Quantity, Shape> shape_;  // of the quantities prepared
  std::vector<double> zero_, row_in_, row_out_;
  std::vector<float> zero_float_;
};

}  // namespace parid::runtime
