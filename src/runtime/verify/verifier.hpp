// Computes any batched quantity again, by a formulation that the engine does not use.
//
// Everything is derived from the torques of that formulation alone. It is slow and shares no
// algorithm with what it checks:
//
//   inverse, bias, gravity   the torques themselves
//   forward                  the torques of the result must be the given ones
//   mass                     torques of unit accelerations, without gravity
//   inverse_gradient         differences: exact ones by velocity, in which torques are quadratic;
//                            of fourth order by position
//   forward_gradient         M times it must be the gradient of the inverse, negated
//   regressor                Y times the parameters of other bodies must be the torques of those
//   energy                   ½ v M v; and of the same robot on a base that floats, the base's rows
//                            of the mass matrix: mass, centre, momentum
//   kinematics               where a mass on the link moves that robot's centre
//   jacobian                 differences of that
//
// All formulations share the mechanism's frames, so everything is compared with ReferenceDynamics
// as well (runtime/verify/reference_check.hpp), which has only those of the robot file.
//
// Errors are relative: the largest difference over the largest number of the right answer, in one
// sample.

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

  // Of one sample: arrays as Engine::evaluate takes and gives them. Infinite where one of answer
  // and the verifier is finite and the other is not; NaN where neither is, for then there is
  // nothing to compare.
  double error(const double* const* in, const double* const* out);

  // What rounding may cost: beyond it something is wrong.
  static double tolerance(Quantity, bool single_precision);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// What became of it.
struct Verification {
  std::size_t rows = 0, not_finite = 0, worst_row = 0;  // compared; such that could not be
  double max_relative_error = 0, tolerance = 0;
  std::string method;

  bool good() const { return max_relative_error <= tolerance; }
  void add(std::size_t row, double error) {
    if (std::isnan(error)) {
      ++not_finite;
      return;
    }
    ++rows;
    if (error > max_relative_error) max_relative_error = error, worst_row = row;
  }
};

// `count` rows of `rows`, spread over all of them, in rising order; the same each time.
std::vector<std::size_t> sample_of_rows(std::size_t rows, std::size_t count);

}  // namespace parid::runtime
