// Joints that follow others: where a chain of mimics ends.

#pragma once

#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

// A joint's position is scale · (position of joint `leader`) + offset. A joint that mimics none
// leads itself.
struct MimicChain {
  int leader;
  double scale = 1, offset = 0;
};

// By joint of the description, whose mimics must have passed check().
std::vector<MimicChain> mimic_chains(const Description&);

// What the joint's own limits and its followers' leave of its range and speed, by joint of the
// description. Efforts stay as they are: what a follower needs is its leader's to give.
std::vector<Limits> shared_limits(const Description&);

}  // namespace parid::model
