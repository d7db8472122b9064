// Sizes of the arrays of parid/quantity.hpp for one sample of a robot.

#pragma once

#include <array>
#include <cstddef>

#include "dynamics/layer.hpp"
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

// Does not allocate. Without the steps of a rollout, which are not a property of the robot.
Dimensions dimensions(const Robot&, ArrayShape);
inline std::size_t count(const Robot& robot, ArrayShape shape) {
  return dimensions(robot, shape).numbers();
}

}  // namespace parid::dynamics
