// The arms of the speculative-control studies, and their laws.

#pragma once

#include <numbers>

#include "control/design.hpp"
#include "model/description.hpp"
#include "parid/error.hpp"
#include "tests/layer.hpp"

namespace parid::test {

inline constexpr double half_turn = std::numbers::pi, quarter_turn = half_turn / 2;

inline Robot without_gravity(const Robot& robot) { return robot.with_gravity({0, 0, 0}); }

inline LawDesign computed_torque(const Robot& robot, const std::string& policy_id, double kd) {
  return design(robot, "computed_torque", {{}, {kd}}, policy(policy_id), robot.neutral());
}

}  // namespace parid::test
