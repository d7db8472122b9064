// Derivatives of torques from a program of the torques and one of the mass matrix, by the chain rule.
//
// ∂τ/∂a is the mass matrix: symmetric, so that half of it is enough, and known from composite bodies too. A
// quaternion's derivative is along what a velocity does to it, as everywhere in Parid.

#pragma once

#include "parid/ir/differentiate.hpp"
#include "parid/model/canonical.hpp"

namespace parid {

enum class MassFrom { lower, upper, composite };  // which half is differentiated, or none

// `inverse` gives tau from q, v, a; `mass` M from q. The result gives dq, dv, da, each (nv, nv), from q, v, a;
// nothing is simplified yet.
Graph gradient_of(const Description&, const Graph& inverse, const Graph& mass, ChainRule, MassFrom);

// wᵀ times these matrices without them, in one sweep back: gq, gv, ga of nv numbers each, from q, v, a and w.
Graph vector_gradient_of(const Description&, const Graph& inverse);

// dq, dv, dtau of the accelerations from q, v, tau, where `inverse_gradient` gives dq, dv, da of the torques: what
// dynamics/forward_gradient.hpp does, with another's derivatives. The mechanism is c's, its inertias as wanted.
Graph forward_gradient_of(const Canonical& c, const Mechanism<double>&,
                          const Graph& inverse_gradient);

}  // namespace parid
