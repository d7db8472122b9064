#include "parid/model/following.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace parid {

std::vector<Following> followings(const Description& d) {
  std::unordered_map<std::string, int> by_name;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) by_name.emplace(d.joints[k].name, k);
  std::vector<Following> out;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
    Following f{k};
    while (const auto& m = d.joints[f.leader].mimic) {  // a mimic may follow a mimic
      f.offset += f.scale * m->offset;
      f.scale *= m->multiplier;
      f.leader = by_name.at(m->joint);
    }
    out.push_back(f);
  }
  return out;
}

std::vector<Limits> shared_limits(const Description& d) {
  std::vector<Limits> out;
  for (const JointDescription& j : d.joints) out.push_back(j.limits);
  const std::vector<Following> follow = followings(d);
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const auto [leader, scale, offset] = follow[k];
    if (leader == static_cast<int>(k) || scale == 0) continue;
    const Limits& own = d.joints[k].limits;
    double low = (own.lower - offset) / scale, high = (own.upper - offset) / scale;
    if (scale < 0) std::swap(low, high);
    Limits& shared = out[leader];
    shared.lower = std::max(shared.lower, low), shared.upper = std::min(shared.upper, high);
    shared.velocity = std::min(shared.velocity, own.velocity / std::abs(scale));
  }
  return out;
}

}  // namespace parid
