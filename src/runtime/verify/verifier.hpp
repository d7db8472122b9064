// Recomputes any batched quantity by a formulation that the engine does not use.
//
// Everything is derived from the torques of that formulation alone. It is slow and shares no
// algorithm with the code that it checks:
//
//   inverse, bias, gravity   the torques themselves
//   forward                  the torques of the result must be the given ones
//   mass                     torques of unit accelerations, without gravity
//   inverse_gradient         differences: exact ones by velocity, in which torques are quadratic;
//                            of fourth order by position
//   forward_gradient         M times it must be the gradient of the inverse, negated
//   regressor                Y times the parameters of other bodies must be their torques
//   energy                   ½ v M v; and for the same robot on a floating base, the base's rows
//                            of the mass matrix: mass, centre, momentum
//   kinematics               displacement of that robot's centre by a mass on the link
//   jacobian                 differences of kinematics
//
// All formulations share the mechanism's frames, so everything is also compared with
// ReferenceDynamics (runtime/verify/reference_check.hpp), which uses only the robot file's frames.
//
// Errors are relative: the largest difference divided by the largest reference value of a sample.

#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

class Verifier {
 public:
  // A batched quantity. `link` is for quantities that need one; empty: the tip. `suspect` is the
  // formulation that is not used.
  explicit Verifier(const Robot&, Quantity = Quantity::inverse_dynamics,
                    const std::string& link = "", const ExternalLoads& = {},
                    const std::string& suspect = "newton_euler_link");
  ~Verifier();

  const std::string& method() const;  // the formulation

  // Error of one sample; arrays as in Engine::evaluate. Infinite if only one of result and
  // reference is finite; NaN if neither is, since they cannot be compared.
  double error(const double* const* in, const double* const* out);

  // The largest error that rounding explains.
  static double tolerance(Quantity, bool single_precision);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The result of a verification.
struct Verification {
  std::size_t rows = 0, not_finite = 0, worst_row = 0;  // compared; not comparable
  double max_relative_error = 0, tolerance = 0;
  std::string method;

  bool good() const { return max_relative_error <= tolerance; }
  void add(std::size_t row, double error) {
    if (std::isnan(error)) {
      ++not_finite;
      return;
    }
    ++rows;
    if (error > max_relative_error) {
      max_relative_error = error;
      worst_row = row;
    }
  }
};

// `count` rows of `rows`, spread over all of them, ascending; deterministic.
std::vector<std::size_t> sample_of_rows(std::size_t rows, std::size_t count);

}  // namespace parid::runtime
