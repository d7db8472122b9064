// Sizes of the arrays of parid/quantity.hpp for one sample of a robot.

#pragma once

#include <array>
#include <cstddef>

#include "dynamics/layer.hpp"
#include "model/canonical_model.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"

namespace parid::dynamics {

// {} for one number, {nv}, {nv, nv}, …: a range of at most two.
struct Dimensions {
  int rank = 0;
  std::array<std::size_t, 2> size{1, 1};

  const std::size_t* begin() const { return size.data(); }
  const std::size_t* end() const { return size.data() + rank; }
  std::size_t numbers() const { return size[0] * size[1]; }
};

// Ten per link that a joint moves; of a planar joint's links only the last is the user's.
inline std::size_t parameter_count(const CanonicalModel& c) {
  std::size_t links = 0;
  for (int i = 1; i <= c.links; ++i)
    if (i == c.links || c.joint[i + 1].joint != c.joint[i].joint) ++links;
  return 10 * links;
}

// Does not allocate. Without the steps of a rollout, which are not a property of the robot.
inline Dimensions dimensions(const Robot& robot, ArrayShape shape) {
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  switch (shape) {
    case ArrayShape::scalar: return {};
    case ArrayShape::pair: return {1, {2, 1}};
    case ArrayShape::vector3: return {1, {3, 1}};
    case ArrayShape::rotation: return {2, {3, 3}};
    case ArrayShape::position: return {1, {nq, 1}};
    case ArrayShape::velocity:
    case ArrayShape::torque_steps: return {1, {nv, 1}};
    case ArrayShape::square: return {2, {nv, nv}};
    case ArrayShape::jacobian: return {2, {6, nv}};
    case ArrayShape::point_jacobian: return {2, {3, nv}};
    case ArrayShape::twist: return {1, {6, 1}};
    case ArrayShape::spatial: return {2, {6, 6}};
    case ArrayShape::regressor: return {2, {nv, parameter_count(robot.canonical())}};
    case ArrayShape::parameters: return {1, {parameter_count(robot.canonical()), 1}};
  }
  return {};
}
inline std::size_t count(const Robot& robot, ArrayShape shape) {
  return dimensions(robot, shape).numbers();
}

}  // namespace parid::dynamics
