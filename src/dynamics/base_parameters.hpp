// The fewest inertial parameters that give all torques of a robot: its base parameters.
//
// Gautier and Khalil's general rules (model/regroup.hpp) leave a few too many on the first links,
// which cannot move freely: there they have special cases. Instead of those, the regressor of the
// first links is asked at random states which of its columns depend on others, and those are summed
// into them.

#pragma once

#include "dynamics/layer.hpp"
#include "model/regroup.hpp"

namespace parid::dynamics {

struct BaseParameterOptions {
  bool any_gravity = false;  // keep what matters under a gravity other than the robot's own
};

Regrouped base_parameters(const CanonicalModel&, const BaseParameterOptions& = {});

// How many columns of the regressor of the whole robot are independent at random states, by QR:
// what base_parameters(…).count() must be. For tests; O((10 n)³).
int regressor_rank(const CanonicalModel&);

// The robot with its inertias regrouped. Torques are the same; forces between links are not.
Mechanism<double> with_parameters(const CanonicalModel&, const Regrouped&);

}  // namespace parid::dynamics
