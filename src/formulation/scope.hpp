// What a formulation supports beyond serial chains of revolute and prismatic joints on a base that
// does not rotate, and the message for other robots.

#pragma once

#include <string>

#include "formulation/layer.hpp"
#include "model/mechanism.hpp"

namespace parid::formulation {

struct Scope {
  bool trees = false;         // links with several children
  bool free_joints = false;   // spherical and floating ones
  bool turning_base = false;  // ω0 or ω̇0; linear acceleration of the base acts like gravity
  bool wrenches = false;      // external forces on links
};

struct Wanted {
  bool turning_base = false, wrenches = false;
};

inline bool is_chain(const Topology& t) {
  for (int i = 1; i <= t.n; ++i)
    if (t.parent[i] != i - 1) return false;
  return true;
}

// Why this mechanism is outside the scope, or "".
inline std::string outside(const Scope& scope, const Topology& t, const Wanted& wanted = {}) {
  if (!scope.trees && !is_chain(t)) return "it covers serial chains, and this robot branches";
  if (!scope.free_joints && t.free > 0)
    return "it covers revolute and prismatic joints, and this robot has others";
  if (!scope.turning_base && wanted.turning_base) return "it does not cover a base that turns";
  if (!scope.wrenches && wanted.wrenches) return "it does not cover external wrenches";
  return "";
}

}  // namespace parid::formulation
