// One robot's inverse dynamics compiled for one instruction set, for one sample or one register of
// samples at a time.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/row_arguments.hpp"
#include "model/canonical_model.hpp"
#include "model/state.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Outputs of torques with friction, each rows × nv: tau is the sum of the others, which may all be
// null.
template <class Real>
struct FrictionRows {
  Real *tau, *rigid = nullptr, *bearing = nullptr, *drive = nullptr;
};

// Not thread-safe. Rows are samples; reads and writes `rows` ≤ lanes() of them.
template <class Real>
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual int lanes() const = 0;
  virtual void inverse_dynamics(const Real* q, const Real* v, const Real* a, Real* tau,
                                int rows) = 0;
  virtual void inverse_dynamics_with_friction(const Real* q, const Real* v, const Real* a,
                                              const FrictionRows<Real>& to, int rows) = 0;
  virtual void set_base_motion(const BaseMotion<double>&) = 0;  // in frame 0
  // on links [0..n]; empty: none
  virtual void set_external(const std::vector<Wrench<double>>&) = 0;
  // Arguments that differ by row: take_rows() allocates memory for them. load_rows() sets those of
  // the next rows, of which the layout is a part; arrays as in dynamics/row_arguments.hpp, with
  // `rows` rows.
  virtual void take_rows(const RowLayout&) = 0;
  virtual void load_rows(const RowLayout&, const Real* const* in, int rows) = 0;
};

// The kernels of one instruction set. `single` evaluates one row, `batch` a register of rows.
struct KernelSet {
  const char* name;
  std::unique_ptr<Kernel<double>> (*single)(const CanonicalModel&);
  std::unique_ptr<Kernel<double>> (*batch)(const CanonicalModel&);
  std::unique_ptr<Kernel<float>> (*single_float)(const CanonicalModel&);
  std::unique_ptr<Kernel<float>> (*batch_float)(const CanonicalModel&);
};

}  // namespace parid::runtime
