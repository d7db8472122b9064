// Estimates external torques on a robot from its motion and its motor torques, without
// accelerations: collisions, contacts, unmodelled friction.
//
// Source   De Luca, Mattone: Sensorless robot collision detection and hybrid force/motion control,
//          ICRA 2005. Without external torques the momentum p = M v satisfies ṗ = τ + Cᵀ v − g. The
//          estimate is the deviation, filtered by a low-pass of rate `gain`:
//          r = gain · (p − ∫(τ + Cᵀ v − g + r) dt).
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
  // gain in 1/s: the estimate reaches 63 % of a torque step after 1/gain. Throws parid::Error
  // unless gain is positive.
  MomentumObserver(const Robot&, double gain);
  MomentumObserver(MomentumObserver&&) noexcept;
  MomentumObserver& operator=(MomentumObserver&&) noexcept;
  ~MomentumObserver();

  /// Starts at this state (nq positions, nv velocities) with an estimate of zero.
  void reset(std::span<const double> q, std::span<const double> v);

  // The present state, and the motor torques, without friction, since the last call dt seconds ago.
  // Returns the estimate, nv numbers: positive if the external torque acts along v. Does not
  // allocate.
  std::span<const double> update(double dt, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> tau);
  std::span<const double> estimate() const;  ///< the last one

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
