// Torques that the surroundings exert on a robot, estimated from its motion and the torques of its
// motors, without accelerations: collisions, contacts, unmodelled friction.
//
// Source   De Luca, Mattone: Sensorless robot collision detection and hybrid force/motion control,
//          ICRA
//          2005. The momentum p = M v would change as ṗ = τ + Cᵀ v − g; how far it does not, is the
//                estimate,
//          behind a low-pass of rate `gain`:  r = gain · (p − ∫(τ + Cᵀ v − g + r) dt).
//
// A public header: no template, no type of another library.

#pragma once

#include <memory>
#include <span>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

class PARID_EXPORT MomentumObserver {
 public:
  // gain in 1/s: an estimate has 63 % of a sudden torque after 1/gain. Throws parid::Error unless
  // positive.
  MomentumObserver(const Robot&, double gain);
  MomentumObserver(MomentumObserver&&) noexcept;
  MomentumObserver& operator=(MomentumObserver&&) noexcept;
  ~MomentumObserver();

  // Starts at this state with an estimate of zero.
  void reset(std::span<const double> q, std::span<const double> v);

  // The state now, and the torques that the motors gave since the last call, dt seconds ago
  // (friction and the like taken off). Returns the estimate, nv numbers: positive where the
  // surroundings push along v.
  std::span<const double> update(double dt, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> tau);
  std::span<const double> estimate() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
