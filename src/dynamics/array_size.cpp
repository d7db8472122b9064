#include "dynamics/array_size.hpp"

#include "model/canonical_model.hpp"

namespace parid::dynamics {
namespace {

// Ten per link that a joint moves; of a planar joint's links only the last is the user's.
std::size_t parameter_count(const CanonicalModel& c) {
  std::size_t links = 0;
  for (int i = 1; i <= c.links; ++i)
    if (i == c.links || c.joint[i + 1].joint != c.joint[i].joint) ++links;
  return 10 * links;
}

}  // namespace

Dimensions dimensions(const Robot& robot, ArrayShape shape) {
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

}  // namespace parid::dynamics
