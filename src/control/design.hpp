// What a sampled controller is made of: the robot it believes in, its law, gains and policy of
// stale data.
//
// A public header: no template, no type of another library.

#pragma once

#include <string>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "motion/trajectory.hpp"
#include "parid/controllers.hpp"

namespace parid::control {

struct LawDesign {
  Robot model;
  std::string law = "computed_torque";  // of the list in parid/controllers.hpp
  Gains gains;                          // complete: by coordinate
  Policy policy;
};

enum class LawKind : std::uint8_t { computed_torque, pd_gravity, pd, pd_feedforward };
// Throws Error with all names, and the one that was probably meant.
LawKind law_kind(const std::string& id);

// Gains for a law: missing ones as a critically damped loop has them (kp = kd²/4), none at all as
// simulate/controllers.hpp says.
LawDesign design(const Robot& model, const std::string& law, Gains, const Policy&,
                 std::span<const double> q);

// Where a robot should be.
struct Desired {
  std::vector<double> q, v, a;
};
// At any instant of a motion and after it, where it is held at its end. Sizes as they are.
void aim(const Trajectory&, double t, Desired&);

// Throws Error where a robot has joints of several freedoms.
void demand_single_freedoms(const Robot&);

}  // namespace parid::control
