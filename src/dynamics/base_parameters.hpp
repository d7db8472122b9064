// The minimal inertial parameters that determine all torques of a robot: its base parameters.
//
// Gautier and Khalil's general rules (model/regroup.hpp) leave a few too many on the first
// links, which cannot move freely: there they have special cases. Instead of those, dependent
// columns of the regressor of the first links are found at random states and added to the
// others.

#pragma once

#include "dynamics/layer.hpp"
#include "model/regroup.hpp"

namespace parid::dynamics {

struct BaseParameterOptions {
  bool any_gravity = false;  // keep what matters for any direction of gravity
};

Regrouped base_parameters(const CanonicalModel&, const BaseParameterOptions& = {});

// The number of independent columns of the regressor of the whole robot at random states, by QR: it
// must equal base_parameters(…).count(). For tests; O((10 n)³).
int regressor_rank(const CanonicalModel&);

// The robot with regrouped inertias. Torques are the same; forces between links are not.
Mechanism<double> with_parameters(const CanonicalModel&, const Regrouped&);

}  // namespace parid::dynamics
