// Simple controllers that make a robot follow a motion. The list is below; --controller, its help
// and the tests read it.
//
//   pd               τ = kp (q_d ⊖ q) + kd (v_d − v)
//   pd+gravity       the same plus the gravity torques at q
//   computed_torque  τ = inverse dynamics of a_d + kd (v_d − v) + kp (q_d ⊖ q)
//   pd+feedforward   τ = inverse dynamics of q_d, v_d, a_d, and pd: the torques of the desired
//                    motion, which do not depend on measurements (Khosla and Kanade, Int. J.
//                    Robotics Research 7(1), 1988)
//
// ⊖ is difference() (dynamics.hpp). Gains of the first two are in N m/rad and N m s/rad (N/m, N
// s/m), of the last in 1/s² and 1/s.
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

// One gain per velocity coordinate. Default: a critically damped bandwidth of 20 rad/s (kp = 400,
// kd = 40), for pd multiplied by the inertia that each joint moves at the start of the motion.
struct Gains {
  std::vector<double> kp, kd;
};

struct ControllerEntry {
  const char* id;
  const char* what;
};
PARID_EXPORT std::span<const ControllerEntry> controllers();

// The gains that the controller of that id uses: a single gain is used for all joints, missing
// ones are the defaults above at position q. Throws Error for another number of gains.
PARID_EXPORT Gains completed(Gains, const std::string& id, const Robot&, std::span<const double> q);

// The motion needs times. Before its start and after its end the robot is held there. Throws Error
// for an unknown id, a motion without times, or another number of gains.
PARID_EXPORT ControlLaw controller(const std::string& id, const Robot&, const SampledTrajectory&,
                                   const Gains& = {});

// The same and, where `friction` is not null, the friction that this model of the robot has at the
// measured position, the desired velocity and the desired acceleration: bearings and drives. Throws
// Error for a model with other coordinates.
PARID_EXPORT ControlLaw controller(const std::string& id, const Robot&, const SampledTrajectory&,
                                   const Gains&, const Robot* friction);

}  // namespace parid
