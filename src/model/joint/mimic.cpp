#include "model/joint/mimic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace parid::model {
namespace {

MimicChain extended(const MimicChain& before, const Mimic& m) {
  if (!before.coupling && m.linear())
    return {before.leader, m.multiplier * before.scale, m.multiplier * before.offset + m.offset};
  Coupling all = before.coupling ? *before.coupling : Coupling{};
  if (!before.coupling && (before.scale != 1 || before.offset != 0))
    all.steps.push_back({{}, {before.offset, before.scale}});
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {before.leader, none, none, then(std::move(all), step_of(m))};
}

}  // namespace

CouplingStep step_of(const Mimic& m) {
  CouplingStep step{{}, {m.offset, m.multiplier}};
  step.c.insert(step.c.end(), m.higher.begin(), m.higher.end());
  if (m.four_bar) step.four_bar.emplace(*m.four_bar);
  return step;
}

std::vector<MimicChain> mimic_chains(const Description& d) {
  std::unordered_map<std::string, int> by_name;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) by_name.emplace(d.joints[k].name, k);
  std::vector<MimicChain> out(d.joints.size(), MimicChain{-1});
  std::vector<int> path;
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
    path.assign(1, k);  // a mimic joint may mimic another one; each is resolved once
    while (out[path.back()].leader < 0 && d.joints[path.back()].mimic)
      path.push_back(by_name.at(d.joints[path.back()].mimic->joint));
    if (out[path.back()].leader < 0) out[path.back()].leader = path.back();
    for (auto at = path.rbegin() + 1; at != path.rend(); ++at) {
      out[*at] = extended(out[*(at - 1)], *d.joints[*at].mimic);
    }
  }
  return out;
}

std::vector<Limits> shared_limits(const Description& d) {
  std::vector<Limits> out;
  for (const JointDescription& j : d.joints) out.push_back(j.limits);
  const std::vector<MimicChain> follow = mimic_chains(d);
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const auto& [leader, scale, offset, coupling] = follow[k];
    if (leader == static_cast<int>(k) || scale == 0) continue;
    const Limits& own = d.joints[k].limits;
    if (coupling) {
      Limits& shared = out[leader];
      const PositionRange range =
          range_within(*coupling, own.lower, own.upper, shared.lower, shared.upper);
      shared.lower = range.lower;
      shared.upper = range.upper;
      shared.velocity = std::min(shared.velocity, own.velocity / range.steepest);
      continue;
    }
    double low = (own.lower - offset) / scale, high = (own.upper - offset) / scale;
    if (scale < 0) std::swap(low, high);
    Limits& shared = out[leader];
    shared.lower = std::max(shared.lower, low);
    shared.upper = std::min(shared.upper, high);
    shared.velocity = std::min(shared.velocity, own.velocity / std::abs(scale));
  }
  return out;
}

}  // namespace parid::model
