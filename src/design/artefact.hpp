// A controller as it is delivered, to be run in a simulated loop: programs compiled and loaded, or
// the bit-true model of a fixed-point machine.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/design.hpp"
#include "design/layer.hpp"
#include "design/step_program.hpp"
#include "design/step_timing.hpp"
#include "hardware/pipeline/formats.hpp"

namespace parid::design {

// What a period reads: the arrays of step_arguments, one after the other.
class StepReadings {
 public:
  explicit StepReadings(int coordinates)
      : n_(static_cast<std::size_t>(coordinates)), x_(n_ * std::size(step_arguments)) {}

  std::span<double> array(int k) {
    return std::span(x_).subspan(n_ * static_cast<std::size_t>(k), n_);
  }
  std::span<double> q() { return array(0); }
  std::span<double> v() { return array(1); }
  const double* data() const { return x_.data(); }
  // The desired state now and a period later.
  void set_wanted(const control::Desired& now, const control::Desired& next);

 private:
  std::size_t n_;
  std::vector<double> x_;
};

class Artefact {
 public:
  virtual ~Artefact() = default;
  // Everything that is kept becomes that of a robot at rest at these readings.
  virtual void begin(const StepReadings&) = 0;
  // One period: the torques, before the time to compute them.
  virtual void run(const StepReadings&, std::vector<double>& tau) = 0;
  // The size of the smallest disturbance, in rad or m, that is well above rounding, and the largest
  // one that is well within the ranges of numbers.
  virtual double least_disturbance() const = 0;
  virtual double largest_disturbance() const = 0;
};

// Compiles the programs with the system's compiler; throws Error, with the reason, if it cannot.
std::unique_ptr<Artefact> compiled_artefact(const StepProgram&, const StepTiming&, WordType);

// The outer loop a = a_d + kd ė + kp e in double precision, limited to the range of accelerations,
// then inverse dynamics in fixed point, bit by bit.
std::unique_ptr<Artefact> fixed_artefact(std::shared_ptr<const FixedGraph>, const Gains&,
                                         double most_acceleration);

}  // namespace parid::design
