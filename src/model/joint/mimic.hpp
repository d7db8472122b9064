// Mimic joints: resolves chains of mimics.

#pragma once

#include <optional>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// A joint's position is scale · (position of joint `leader`) + offset, or a coupling of that
// position; then scale and offset are not numbers. A joint without a mimic is its own leader.
struct MimicChain {
  int leader;
  double scale = 1, offset = 0;
  std::optional<Coupling> coupling = {};

  // Position and derivatives where the leader is at x.
  CouplingValue<double> at(double x) const {
    return coupling ? (*coupling)(x) : CouplingValue<double>{scale * x + offset, scale, 0, 0};
  }
};

// The law of one mimic, as a step of a coupling.
CouplingStep step_of(const Mimic&);

// By joint of the description, whose mimics must have passed check().
std::vector<MimicChain> mimic_chains(const Description&);

// Range and speed of each joint within its own limits and those of its mimic joints, by joint of
// the description. Efforts are unchanged: the leader supplies its mimics' effort. Where a linkage
// closes for a part of the positions only, the range ends one hundredth of it before its ends.
std::vector<Limits> shared_limits(const Description&);

}  // namespace parid::model
