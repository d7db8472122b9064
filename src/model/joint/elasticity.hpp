// The elasticity of a joint's transmission: a spring between the motor and the link.
//
// Source   Spong: Modeling and control of elastic joint robots, J. Dynamic Systems, Measurement and
//          Control 109 (1987) 310-319. Dhanaraj (1990) names elasticity as the first extension of
//          its model.
//
//   M(q) q̈ + h(q, q̇) = τ_s,    B θ̈ + τ_s = τ,    τ_s = K (θ − q) + D (θ̇ − q̇)
//
// Everything is reflected to the joint: θ is the motor's position over the gear ratio, B the
// reflected rotor inertia, which is no part of M then.

#pragma once

#include "model/layer.hpp"

namespace parid::model {

struct Elasticity {
  double stiffness = 0;  // K, N m/rad or N/m
  double damping = 0;    // D, N m s/rad or N s/m
};

}  // namespace parid::model
