// An excitation motion: all joints move at once, within their limits, so that torques determine the
// parameters.
//
// Source   Swevers et al.: Optimal robot excitation and identification (1997): each joint follows a
//          sum of sines of a common period, so that measurements can be averaged over periods and
//          derivatives are exact.
// Differs  starts and ends at rest; the amplitudes are found and improved by random search, by
//          the condition number of the regressor along the motion.
//
// Joints of several freedoms do not move. Collisions are not considered.

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
  // Fraction of the limits that is used; without limits, of half a turn or half a metre about zero
  // and of 2 rad/s or 0.5 m/s.
  double share = 0.8;
};

struct Excitation {
  SampledTrajectory motion;
  double condition = 0, first_condition = 0;  // of the result, and of the first trial
};

Excitation exciting_motion(TorqueModel&, const ExcitationOptions& = {});

}  // namespace parid::identification
