// The result of closed-form inverse kinematics for one branch.

#pragma once

#include <array>

#include "kinematics/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::kinematics {

template <Scalar T>
struct ArmAngles {
  std::array<T, 6> q;
  T reach;  // negative: the pose is out of reach, and q stretches towards it
};

namespace detail {
template <Scalar T>
T positive_part(const T& x) {
  return select(x < T(0.0), T(0.0), x);
}
template <Scalar T>
T smaller(const T& a, const T& b) {
  return select(a < b, a, b);
}
}  // namespace detail

}  // namespace parid::kinematics
