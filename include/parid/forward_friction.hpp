// Forward dynamics with friction: accelerations from torques with bearing friction and drive
// losses.
//
//   ForwardFriction forward(robot);
//   forward.settle(q, v, tau, a);          // a joint at rest sticks or slips, depending on torques
//
// Bearing friction depends on reactions, which depend on the unknown accelerations. So inverse
// dynamics with friction is solved for the accelerations by Newton's method.
//
// A joint with dry friction is in one of three states ("ways"): it slips forwards (+1), slips
// backwards (−1), or sticks (0). A joint that sticks has no acceleration, and friction has the
// value that holds it. settle() finds consistent states of the joints at rest: no joint that sticks
// needs more than its greatest friction, no joint that slips moves against its direction. If
// friction does not depend on load this is a linear complementarity problem. Joints change their
// state one at a time, the first inconsistent one, until all are consistent (Murty's rule, which
// terminates for positive definite mass matrices).
//
// A public header: no template, no type of another library. Not thread-safe.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

/// Sizes: q has nq numbers, all others nv; they are not checked. Solutions allocate.
class PARID_EXPORT ForwardFriction {
 public:
  /// Allocates all memory. Throws parid::Error for a robot with a singular mass matrix.
  explicit ForwardFriction(const Robot&);
  ForwardFriction(ForwardFriction&&) noexcept;
  ForwardFriction& operator=(ForwardFriction&&) noexcept;
  ~ForwardFriction();

  /// Whether coordinate k can stick: it has friction that does not vanish with its velocity.
  bool can_stick(int k) const;

  /// Accelerations a (rad/s² or m/s²) from torques tau (N m or N). Chooses the ways of all joints
  /// that can stick: by the sign of a velocity that is not zero, by the torques if it is. False if
  /// no solution was found; then a is undefined.
  bool settle(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
              std::span<double> a);
  /// +1, −1 or 0 for each of the nv coordinates; 0 also for those that cannot stick.
  const std::vector<int>& ways() const;
  void set_ways(const std::vector<int>&);

  // With the present states: friction keeps its direction for either sign of the velocity, so that
  // a step may pass a reversal. friction: its part of tau. Returns false as settle() does.
  bool acceleration(std::span<const double> q, std::span<const double> v,
                    std::span<const double> tau, std::span<double> a, std::span<double> friction);

  // The smallest margin, over all joints that stick, between the available friction and the
  // friction needed to hold the joint, as a fraction of the largest torque; below zero: one must
  // slip. 1 if none sticks.
  double hold(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
              std::span<const double> a);

  /// Output torques of drives beside those of the bodies, nv numbers, for all later calls; default:
  /// none. For the motors of elastic joints (Robot::with_motors()), whose drives load springs;
  /// other joints need 0.
  void set_drive_loads(std::span<const double> loads);

  // The largest number of Newton steps of a solution so far.
  int most_steps() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// ForwardFriction::settle() for one instant. Allocates; throws as the class does.
PARID_EXPORT bool forward_dynamics_with_friction(const Robot&, std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> tau, std::span<double> a);

}  // namespace parid
