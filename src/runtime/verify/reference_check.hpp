// The difference between a computed quantity and that of ReferenceDynamics, for every batched
// quantity.
//
// Errors are relative to the sizes of the summed terms, so that rounding in a sum of large
// cancelling terms does not count as an error. For solved quantities the residual counts: the
// torques of the computed acceleration compared with the given ones.

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

  // Error of one sample; arrays as in Engine::evaluate. Infinite if only one of result and
  // reference is finite; NaN if neither is.
  double error(const double* const* in, const double* const* out);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::runtime
