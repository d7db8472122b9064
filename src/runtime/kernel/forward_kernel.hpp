// Forward dynamics and mass matrix of one robot, compiled for one instruction set.

#pragma once

#include <memory>
#include <vector>

#include "dynamics/row_arguments.hpp"
#include "model/canonical_model.hpp"
#include "model/state.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Not thread-safe. Rows are samples; reads and writes `rows` ≤ lanes() of them.
class ForwardKernel {
 public:
  virtual ~ForwardKernel() = default;
  virtual int lanes() const = 0;
  virtual void forward_dynamics(const double* q, const double* v, const double* tau, double* a,
                                int rows) = 0;
  virtual void mass_matrix(const double* q, double* M, int rows) = 0;
  virtual void set_base_motion(const BaseMotion<double>&) = 0;  // in frame 0
  // on links [0..n]; empty: none
  virtual void set_external(const std::vector<Wrench<double>>&) = 0;
  // As of Kernel; for the next mass matrices, or for the next accelerations.
  virtual void take_rows(const RowLayout&) = 0;
  virtual void load_rows(const RowLayout&, const double* const* in, int rows, bool mass) = 0;
};

struct ForwardKernelSet {
  const char* name;
  std::unique_ptr<ForwardKernel> (*single)(const CanonicalModel&);
  std::unique_ptr<ForwardKernel> (*batch)(const CanonicalModel&);
};

}  // namespace parid::runtime
