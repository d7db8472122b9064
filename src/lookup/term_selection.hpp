// Selects the significant terms of τ_i = Σ J_ij q̈_j + Σ C_ijk q̇_j q̇_k + G_i.

#pragma once

#include <cstdint>

#include "formulation/significant_terms.hpp"
#include "lookup/layer.hpp"
#include "lookup/state_box.hpp"

namespace parid::lookup {

struct TermOptions {
  double share = 0.01;         // of the joint's torque range: smaller contributions are dropped
  std::size_t samples = 2000;  // random states from which the ranges are estimated
  std::uint64_t seed = 1981;
};

// A term's contribution is the largest absolute value of its coefficient over the sampled
// positions, at the greatest velocities or acceleration in the box; a joint's torque range is the
// largest sampled torque, including its rotor's. Terms below 1e-13 of it are zero and never
// counted.
TermSelection significant_terms(const Robot&, const StateBox&, const TermOptions& = {});

}  // namespace parid::lookup
