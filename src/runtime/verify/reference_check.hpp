// The difference between a computed quantity and that of ReferenceDynamics, for every batched
// quantity.
//
// Errors are relative to the sizes of the terms that were summed, so that a result in which large
// terms cancel is not charged for their rounding. For solved quantities the residual counts: the
// torques that the computed acceleration needs against the given ones.

#pragma once

#include <memory>
#include <string>

#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

class PlainCheck {
 public:
  // A batched quantity. `link` is for quantities that need one; empty: the tip.
  PlainCheck(const Robot&, Quantity, const std::string& link = "", const ExternalLoads& = {});
  ~PlainCheck();
  PlainCheck(PlainCheck&&) noexcept;

  // Of one sample: arrays as Engine::evaluate takes and gives them. Infinite where one of answer
  // and reference is finite and the other is not; NaN where neither is.
  double error(const double* const* in, const double* const* out);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::runtime
