// Forward dynamics with friction: accelerations from torques where bearings and drives take their
// part.
//
//   ForwardFriction forward(robot);
//   forward.settle(q, v, tau, a);          // at rest each joint sticks or slips, as the torques
//                                          decide
//
// Friction couples back: what a bearing takes follows its reaction, which follows the accelerations
// that are sought. So the torques with friction, as inverse dynamics gives them for any
// acceleration, are solved for it by Newton's method.
//
// A joint with dry friction is in one of three ways: it slips forth (+1), slips back (−1), or
// sticks (0). A joint that sticks has no acceleration, and friction is whatever holds it. settle()
// finds ways that hold together for the joints at rest: none that sticks needs more than its
// greatest friction either way, none that slips goes against its way. That is a linear
// complementarity problem where friction does not depend on load, and joints change their way one
// at a time, the first that must, until none must (Murty's rule, which ends for the positive
// definite mass matrices of robots).
//
// A public header: no template, no type of another library. Belongs to one thread.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

class PARID_EXPORT ForwardFriction {
 public:
  explicit ForwardFriction(const Robot&);
  ForwardFriction(ForwardFriction&&) noexcept;
  ForwardFriction& operator=(ForwardFriction&&) noexcept;
  ~ForwardFriction();

  // Whether coordinate k can stick: it has friction that does not go to zero with its velocity.
  bool can_stick(int k) const;

  // Settles the ways of all joints that can stick: by the sign of a velocity that is not zero, by
  // the torques where it is. False where no answer was found; then a is not to be used.
  bool settle(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
              std::span<double> a);
  const std::vector<int>& ways() const;  // of all coordinates; 0 also for those that cannot stick
  void set_ways(const std::vector<int>&);

  // With the ways as they are: friction keeps its direction whatever the velocity's sign, so that a
  // step may run a little past a reversal. friction: what it takes of tau. False: as for settle.
  bool acceleration(std::span<const double> q, std::span<const double> v,
                    std::span<const double> tau, std::span<double> a, std::span<double> friction);

  // Over all joints that stick, by how much the friction that is needed to hold one stays below
  // what it can give, the least, as a share of the largest torque; below zero: one must slip. 1
  // where none sticks.
  double hold(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
              std::span<const double> a);

  // Of Newton's method so far: the most steps a solution took.
  int most_steps() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// For one instant alone.
PARID_EXPORT bool forward_dynamics_with_friction(const Robot&, std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> tau, std::span<double> a);

}  // namespace parid
