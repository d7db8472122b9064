// G, J and C at many positions at once, from exact torques of unit motions.

#pragma once

#include <span>
#include <vector>

#include "formulation/configuration_space.hpp"
#include "lookup/layer.hpp"
#include "lookup/state_box.hpp"
#include "parid/engine.hpp"

namespace parid::lookup {

// In the user's coordinates, including rotors. Not thread-safe; it uses several threads internally.
class CoefficientSource {
 public:
  explicit CoefficientSource(const Robot&, int threads = 0);

  const Coefficients& layout() const { return at_; }
  void coefficients(std::size_t rows, std::span<const double> q, std::span<double> out);

 private:
  Coefficients at_;
  Engine held_, floating_;  // with gravity and without
  std::vector<double> q_, v_, a_, tau_, rest_, gravity_;
};

// The coordinates on which the dynamics depend: rotation about a vertical first axis, or about the
// axis of a symmetric last link, has no effect. Found by sampling, not proven.
struct Dependence {
  std::vector<bool> on_position, on_velocity;  // by coordinate
};
Dependence dependence(CoefficientSource&, const StateBox&);

}  // namespace parid::lookup
