// Recommended sampling rate of a controller: twenty times the highest natural frequency, f = 20
// ω/2π (Dhanaraj 1990, section 1.1, after Fu, Gonzalez and Lee 1987).
//
// A rigid arm has natural frequencies only with springs. Three frequencies are computed for the
// robot, at poses along a motion, with the joints' mass matrix M:
//
//   servo     the motors as springs: K = diag(k), ω² the greatest eigenvalue of M⁻¹ K. If no
//             stiffness is given, k is such that a motor gives its full torque at an error of
//             `full_torque_at`
//   gravity   the arm as a pendulum: K = ∂(gravity torque)/∂q; if it is unstable, |ω| is the
//             inverse of its time constant
//   motion    of the reference motion: the greatest |a|/|v| of a coordinate, which is ω for a sine
//
// Dhanaraj (1990) assumes the arm's natural frequency at 5 to 10 Hz, so that its rule gives 100 to
// 200 Hz; the 1 to 2 kHz that it then prints are ten times that. Joints with quaternions are held:
// a floating base counts as fixed.

#pragma once

#include "motion/layer.hpp"
#include "motion/scaling/time_scaling.hpp"
#include "parid/sampling_rate.hpp"

namespace parid::motion {

// As parid/sampling_rate.hpp has it, with torques from elsewhere.
std::optional<SamplingAdvice> sampling_advice(const Robot&, const SampledTrajectory&,
                                              const TorquesAlong&, const SamplingOptions& = {});

}  // namespace parid::motion
