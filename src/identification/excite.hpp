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
#include "parid/identification.hpp"

namespace parid::identification {

// At all instants of a fine grid the motion keeps the limits of position and velocity and, with the
// file's inertias and friction, those of effort and motors: the amplitudes are reduced until it
// does, and centres of motion other than the middle of the ranges are tried where gravity takes
// most of the torque. If the robot exceeds an effort limit even while it stands, effort_use exceeds
// `share`.
ExcitationMotion exciting_motion(TorqueModel&, const ExcitationOptions& = {});

}  // namespace parid::identification
