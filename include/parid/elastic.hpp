// Dynamics of robots with elastic joints: a spring between the motor and the link (Spong 1987).
//
//   ElasticDynamics elastic(robot.with_elasticity({{"elbow", {.stiffness = 1e4, .damping = 5}}}));
//   elastic.inverse(q, v, a, jerk, snap, tau);
//   elastic.forward(q, theta, v, theta_v, tau, a, theta_a);
//
//   M(q) q̈ + h(q, q̇) = τ_s,    B θ̈ + τ_s = τ,    τ_s = K (θ − q) + D (θ̇ − q̇)
//
// All on the joint's side of the gear. A robot may have rigid and elastic joints. q, v, a and tau
// have the robot's coordinates; theta, theta_v and theta_a one number for each elastic joint, in
// the order of joints(). tau of a rigid joint acts on its link, tau of an elastic joint on its
// motor. Bearing friction acts on the link and its velocity, drive losses on the motor: the load is
// τ_s, the velocity θ̇.
//
// A public header: no template, no type of another library. Belongs to one thread.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

/// The motion of motors, one number for each elastic joint; empty: not wanted.
struct MotorMotion {
  std::span<double> theta = {}, theta_v = {}, theta_a = {};
};

class PARID_EXPORT ElasticDynamics {
 public:
  /// Allocates all memory. Throws parid::Error if no joint is elastic, an elastic joint has no
  /// rotor inertia, or a rotor of one spins on a link.
  explicit ElasticDynamics(const Robot&);
  ElasticDynamics(ElasticDynamics&&) noexcept;
  ElasticDynamics& operator=(ElasticDynamics&&) noexcept;
  ~ElasticDynamics();

  const Robot& robot() const;
  const std::vector<ElasticJoint>& joints() const;

  // The functions below allocate nothing after the first call of forward(), except where it says
  // so. They throw std::invalid_argument for arrays of other sizes.

  /// Torques of the link side with their first two time derivatives along a motion, each nv: what
  /// the springs transmit and rigid joints need. jerk and snap (nv) are the derivatives of a.
  void link_torques(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                    std::span<const double> jerk, std::span<const double> snap,
                    std::span<double> tau, std::span<double> tau_rate, std::span<double> tau_rate2,
                    bool friction = false);

  /// Torques tau (nv) of a motion. Without damping θ = q + τ_s/K holds with its derivatives, and
  /// the torque is exact. With damping D the spring follows τ_s with the time constant D/K, and an
  /// instant does not determine it; this gives the motion without the decaying part,
  /// θ = q + (τ_s − c τ̇_s + c² τ̈_s)/K with c = D/K, up to terms c³ and derivatives of τ_s above the
  /// second. along() solves the equation along a trajectory.
  void inverse(std::span<const double> q, std::span<const double> v, std::span<const double> a,
               std::span<const double> jerk, std::span<const double> snap, std::span<double> tau,
               const MotorMotion& motor = {}, bool friction = false);

  /// The same for t.size() samples, row by row, at rising times t. With damping D δ̇ + K δ = τ_s,
  /// δ = θ − q, is solved from sample to sample, with τ_s as the polynomial of degree five that has
  /// the exact τ_s, τ̇_s and τ̈_s at both; it starts at inverse() of the first sample. Motor arrays
  /// are (rows, joints().size()) or empty. Allocates.
  void along(std::span<const double> t, std::span<const double> q, std::span<const double> v,
             std::span<const double> a, std::span<const double> jerk, std::span<const double> snap,
             std::span<double> tau, const MotorMotion& motor = {}, bool friction = false);

  /// Accelerations of links and motors, without friction. Throws parid::Error if the mass matrix of
  /// the links is singular.
  void forward(std::span<const double> q, std::span<const double> theta, std::span<const double> v,
               std::span<const double> theta_v, std::span<const double> tau, std::span<double> a,
               std::span<double> theta_a);

  /// τ_s of each elastic joint.
  void spring_torques(std::span<const double> q, std::span<const double> theta,
                      std::span<const double> v, std::span<const double> theta_v,
                      std::span<double> torque) const;
  /// Σ ½ K (θ − q)², J.
  double spring_energy(std::span<const double> q, std::span<const double> theta) const;
  /// Motor positions with which the springs carry the links at rest at q: θ = q + gravity(q)/K.
  void resting_motors(std::span<const double> q, std::span<double> theta);

  /// Undamped natural frequencies of the springs between links and motors at q, in rad/s,
  /// ascending: √ of the eigenvalues of (B⁻¹ + M⁻¹) K over the elastic joints. Gravity has no part.
  /// Explicit integration needs steps of at most 2.8 (rk4) over the last. Allocates.
  std::vector<double> frequencies(std::span<const double> q);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid
