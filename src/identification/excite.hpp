// A motion to measure: all joints at once, within their limits, so that torques tell the parameters
// apart.
//
// Source   Swevers et al.: Optimal robot excitation and identification (1997): each joint follows a
//          sum of sines of a common period, so that measurements can be averaged over periods and
//          derivatives are exact.
// Differs  starts and ends at rest; the amplitudes are found and improved by random search, by
//          the condition number of the regressor along the motion.
//
// Joints of several freedoms stay where they are. Nothing here knows of collisions.

#pragma once

#include "identification/layer.hpp"
#include "identification/torque_model.hpp"
#include "parid/sampled_trajectory.hpp"

namespace parid::identification {

struct ExcitationOptions {
  double seconds = 10;
  int samples = 1001;
  int harmonics = 5;
  int trials = 300;
  // Of the limits, how much is used; where there are none, of half a turn or half a metre about
  // zero and of 2 rad/s or 0.5 m/s.
  double share = 0.8;
};

struct Excitation {
  SampledTrajectory motion;
  double condition = 0, first_condition = 0;  // at the end, and of the first trial
};

Excitation exciting_motion(TorqueModel&, const ExcitationOptions& = {});

}  // namespace parid::identification
