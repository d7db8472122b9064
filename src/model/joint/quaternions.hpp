// Quaternions among the user's positions, before any computation.
//
// Results do not depend on a quaternion's length (math/mat3.hpp). File readers normalize
// quaternions and report a length that rounding does not explain: perhaps a column is
// wrong.

#pragma once

#include <cmath>

#include "model/joint/coordinates.hpp"
#include "model/layer.hpp"

namespace parid::model {

constexpr double quaternion_slack = 1e-6;  // tolerance of the length, for rounded files

inline bool is_unit_length(double length) { return std::abs(length - 1) <= quaternion_slack; }
inline bool has_direction(double length) { return length > 1e-100 && length < 1e100; }

inline double quaternion_length(const double* q) {
  return std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
}
// Returns the previous length. A zero quaternion is not changed.
inline double normalise_quaternion(double* q) {
  const double length = quaternion_length(q);
  if (has_direction(length))
    for (int k = 0; k < 4; ++k) q[k] /= length;
  return length;
}

// Calls with(joint, first) for each joint that has a quaternion: `first` is the index of its x
// among the positions.
template <class With>
void for_each_quaternion(const Description& d, const With& with) {
  int p = 0;
  for (const JointDescription& j : d.joints) {
    p += position_count(j);
    if (position_count(j) > velocity_count(j)) with(j, p - 4);
  }
}

}  // namespace parid::model
