// Simple controllers that make a robot follow a motion. The one list is below: --controller, its
// help and the tests walk it.
//
//   pd               τ = kp (q_d ⊖ q) + kd (v_d − v)
//   pd+gravity       the same, and what gravity takes where the robot is
//   computed_torque  τ = inverse dynamics of a_d + kd (v_d − v) + kp (q_d ⊖ q)
//   pd+feedforward   τ = inverse dynamics of q_d, v_d, a_d, and pd: the torques of the desired
//                    motion, which do not depend on measurements (Khosla and Kanade, Int. J.
//                    Robotics Research 7(1), 1988)
//
// ⊖ is difference() (answers.hpp). Gains of computed_torque are in 1/s² and 1/s, of the others in
// N m/rad and N m s/rad (N/m, N s/m).
//
// A public header: no template, no type of another library.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/sampled_trajectory.hpp"
#include "parid/torque_source.hpp"

namespace parid {

// By velocity coordinate. None: as a bandwidth of 20 rad/s, critically damped, asks for: kp = 400,
// kd = 40, for all but computed_torque times the inertia that each joint moves where the motion
// starts.
struct Gains {
  std::vector<double> kp, kd;
};

struct ControllerEntry {
  const char* id;
  const char* what;
};
PARID_EXPORT std::span<const ControllerEntry> controllers();

// The gains as the controller of that id uses them: one for all joints spread over them, missing
// ones as above, where the robot stands at q. Throws Error for gains of another number.
PARID_EXPORT Gains completed(Gains, const std::string& id, const Robot&, std::span<const double> q);

// The motion needs its instants. Before its start and after its end the robot is held at those.
// Throws Error for an unknown id, a motion without instants, gains of another number.
PARID_EXPORT ControlLaw controller(const std::string& id, const Robot&, const SampledTrajectory&,
                                   const Gains& = {});

// The same and, where `friction` is not null, the friction that this model of the robot has at the
// measured position, the desired velocity and the desired acceleration: bearings and drives. Throws
// Error for a model with other coordinates.
PARID_EXPORT ControlLaw controller(const std::string& id, const Robot&, const SampledTrajectory&,
                                   const Gains&, const Robot* friction);

}  // namespace parid
