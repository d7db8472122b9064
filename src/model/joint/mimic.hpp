// Mimic joints: resolves chains of mimics.

#pragma once

#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// A joint's position is scale · (position of joint `leader`) + offset. A joint without a mimic is
// its own leader.
struct MimicChain {
  int leader;
  double scale = 1, offset = 0;
};

// By joint of the description, whose mimics must have passed check().
std::vector<MimicChain> mimic_chains(const Description&);

// Range and speed of each joint within its own limits and those of its mimic joints, by joint of
// the description. Efforts are unchanged: the leader supplies its mimics' effort.
std::vector<Limits> shared_limits(const Description&);

}  // namespace parid::model
