// Derivatives of the kinetic energy T and the potential energy U.
//
//   T = ½ vᵀ M v:   ∂T/∂v = M v,   ∂T/∂q = ½ vᵀ ∂(M v)/∂q, torques at rest without gravity
//   U = −g·m c:     ∂U/∂q = −g·m ∂c/∂q

#pragma once

#include "dynamics/centroidal.hpp"
#include "dynamics/derivative/inverse_gradient.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

template <Scalar T>
class EnergyGradient {
 public:
  explicit EnergyGradient(const CanonicalModel& c)
      : gradient(c), centroidal(c), none_(c.nv, T(0.0)), unused_(3 * c.nv) {}

  // nv numbers each; along the velocities.
  void operator()(const T* q, const T* v, T* kinetic_q, T* kinetic_v, T* potential_q) {
    gradient.at.motion.gravity = {};
    gradient.vector_product(q, none_.data(), v, v, kinetic_q, unused_.data(), kinetic_v);
    for (std::size_t k = 0; k < none_.size(); ++k) kinetic_q[k] = T(0.5) * kinetic_q[k];
    Vec3<T> centre;
    centroidal.centre(q, centre, unused_.data());
    centroidal.potential_gradient(potential_q);
  }

  InverseGradient<T> gradient;
  Centroidal<T> centroidal;

 private:
  std::vector<T> none_, unused_;
};

}  // namespace parid::dynamics
