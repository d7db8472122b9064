// Derivatives of torques from a program for the torques and one for the mass matrix, by the
// chain rule.
//
// ∂τ/∂a is the mass matrix: it is symmetric, so that half of it is enough, and composite
// bodies give it too. The derivative by a quaternion is along the velocities, as everywhere in
// Parid.

#pragma once

#include "codegen/layer.hpp"
#include "graph/differentiate.hpp"
#include "model/description.hpp"

namespace parid::codegen {

// The rate of the positions for each velocity: row k is q̇ at v = unit vector k.
std::vector<std::vector<Expr>> directions(const Description&, const std::vector<Expr>& q,
                                          std::size_t nv);

enum class MassFrom { lower, upper, composite };  // the half that is differentiated, or none

// `inverse` computes tau from q, v, a; `mass` computes M from q. The result computes dq, dv, da,
// each (nv, nv), from q, v, a; further inputs of the two follow. It is not simplified.
Graph gradient_of(const Description&, const Graph& inverse, const Graph& mass, ChainRule, MassFrom);

}  // namespace parid::codegen
