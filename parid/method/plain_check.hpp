// How far an answer to any question over rows is from what PlainDynamics gives for it.
//
// Errors are relative to the sizes of what was added up, so that an answer in which large parts cancel is not
// blamed for their rounding. Of solved questions it is the residual that counts: the torques that an
// acceleration takes against those that were given.

#pragma once

#include <memory>
#include <string>

#include "parid/model/robot.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

class PlainCheck {
 public:
  // A word of the batch engine (docs/batches.md). `link` is for "kinematics" and "jacobian"; empty: the tip.
  PlainCheck(const Robot&, const std::string& what, const std::string& link = "",
             const Surroundings& = {});
  ~PlainCheck();
  PlainCheck(PlainCheck&&) noexcept;

  // Of one sample: arrays as Engine::evaluate takes and gives them. Infinite where one of answer and
  // reference is finite and the other is not; NaN where neither is.
  double error(const double* const* in, const double* const* out);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
