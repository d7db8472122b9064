// Derivatives of torques from a program of the torques and one of the mass matrix, by the chain
// rule.
//
// ∂τ/∂a is the mass matrix: symmetric, so that half of it is enough, and known from composite
// bodies too. A quaternion's derivative is along what a velocity does to it, as everywhere in
// Parid.

#pragma once

#include "codegen/layer.hpp"
#include "graph/differentiate.hpp"
#include "model/description.hpp"

namespace parid::codegen {

// Where each velocity leads the positions: row k is q̇ at v = unit vector k.
std::vector<std::vector<Expr>> directions(const Description&, const std::vector<Expr>& q,
                                          std::size_t nv);

enum class MassFrom { lower, upper, composite };  // which half is differentiated, or none

// `inverse` gives tau from q, v, a; `mass` M from q. The result gives dq, dv, da, each (nv, nv),
// from q, v, a; other inputs that the two have come after those. Nothing is simplified yet.
Graph gradient_of(const Description&, const Graph& inverse, const Graph& mass, ChainRule, MassFrom);

}  // namespace parid::codegen
