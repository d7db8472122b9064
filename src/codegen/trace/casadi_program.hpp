// A quantity as external functions of CasADi, with derivatives.

#pragma once

#include "codegen/emit/casadi.hpp"
#include "codegen/layer.hpp"
#include "codegen/trace/generate.hpp"

namespace parid::codegen {

// Throws parid::Error for quantities that are derivatives themselves, because the functions bring
// their own, and for inverse kinematics, whose result is not a differentiable function.
void require_casadi(Quantity);

// The program of generate() as C for CasADi. Derivatives are by each number of the arguments: by
// the four numbers of a quaternion, not along velocities. Matrices keep their rows and columns;
// with all links, R is stacked: (3 links, 3). Steps of a rollout are one after the other in a
// vector. Throws as require_casadi().
CasadiCode casadi_code(const Robot&, Quantity, const Generated&, const COptions&);

}  // namespace parid::codegen
