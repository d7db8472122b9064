// How often a controller should sample: twenty times the highest natural frequency, f = 20 ω/2π
// (Dhanaraj 1990, section 1.1, after Fu, Gonzalez and Lee 1987).
//
// A rigid arm has no natural frequency of its own until something acts like a spring. Three things
// do, and each is worked out from the robot, at poses along a motion, with the joints' mass matrix
// M:
//
//   servo     the motors as springs: K = diag(k), ω² the greatest eigenvalue of M⁻¹ K. Where no
//             stiffness is given, k is what makes a motor give its full torque at an error of
//             `full_torque_at`
//   gravity   the arm as a pendulum: K = ∂(gravity torque)/∂q; where it is unstable, |ω| is the
//             inverse of its time constant
//   motion    what is followed: the greatest |a|/|v| of a coordinate over the motion, which is ω
//             for a sine
//
// Dhanaraj (1990) assumes the arm's natural frequency at 5 to 10 Hz, so that its rule gives 100 to
// 200 Hz; the 1 to 2 kHz that it goes on to print are ten times that. Joints with quaternions are
// held: a base that floats counts as fixed.

#pragma once

#include <optional>

#include "motion/layer.hpp"
#include "motion/scaling/time_scaling.hpp"

namespace parid::motion {

struct SamplingOptions {
  std::optional<double> stiffness;  // N m/rad or N/m, of every joint
  double full_torque_at = 0.05;     // rad or m
  int poses = 9;                    // along the motion
};

// The rule: Δt = 1 / (20 ω/2π).
inline constexpr int samples_per_natural_period = 20;

struct SamplingAdvice {
  double servo = 0, gravity = 0, motion = 0;  // Hz; zero: nothing of the kind
  double natural_frequency() const;           // the highest
  double rate() const { return samples_per_natural_period * natural_frequency(); }
};

// Nothing for robots of more than 64 freedoms, where eigenvalues would take their time.
std::optional<SamplingAdvice> sampling_advice(const Robot&, const SampledTrajectory&,
                                              const TorquesAlong&, const SamplingOptions& = {});

}  // namespace parid::motion
