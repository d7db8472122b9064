// How often a controller should sample a robot: twenty times per period of its highest natural
// frequency (Dhanaraj 1990, section 1.1, after Fu, Gonzalez and Lee 1987).
//
//   const auto advice = sampling_advice(robot, motion);
//   if (advice) advice->rate();   // Hz
//
// A public header: no template, no type of another library.

#pragma once

#include <optional>

#include "parid/export.h"
#include "parid/robot.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid {

struct SamplingOptions {
  std::optional<double> stiffness =
      {};  ///< N m/rad or N/m, of every joint; none: by full_torque_at
  /// Without a stiffness: the error, in rad or m, at which a motor gives its full torque.
  double full_torque_at = 0.05;
  int poses = 9;  ///< along the motion
};

/// Natural frequencies in Hz; zero: does not apply.
struct SamplingAdvice {
  double servo = 0;    ///< of the arm on springs of the motors' stiffness
  double gravity = 0;  ///< of the arm as a pendulum; if unstable, of its time constant
  double motion = 0;   ///< of the motion: the greatest |a|/|v| of a coordinate

  PARID_EXPORT double natural_frequency() const;  ///< the highest of the three, Hz
  PARID_EXPORT double rate() const;               ///< twenty times that, Hz
};

/// The frequencies of a robot along a motion. Joints with quaternions are held. Returns nothing for
/// an empty motion, for robots of more than 64 freedoms, whose eigenvalues take long, and for
/// robots without other joints. Allocates. Throws Error for options that are not positive,
/// std::invalid_argument for arrays of other sizes.
PARID_EXPORT std::optional<SamplingAdvice> sampling_advice(const Robot&, const SampledTrajectory&,
                                                           const SamplingOptions& = {});

}  // namespace parid
