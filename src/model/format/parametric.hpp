// Robots of any length by formula: for scaling measurements, and reproducible by anyone.
// docs/robot-files.md has the formulas.

#pragma once

#include <cstdint>

#include "model/description.hpp"
#include "model/format/size_limit.hpp"
#include "model/layer.hpp"

namespace parid::model {

constexpr int longest_parametric = most_joints;

// u(k) = frac(k (√5-1)/2), in 64-bit integers so that it is the same on every machine.
inline double golden(std::uint64_t k) {
  return static_cast<double>((k * 0x9E3779B97F4A7C15u) >> 11) * 0x1p-53;
}

// n revolute links, neighbouring axes parallel or perpendicular, diagonal inertias.
Description orthogonal(int n);
// n revolute links with nonzero twists, offsets, centres and inertias, except for the first axis,
// which is vertical and passes through the base.
Description chain(int n);

}  // namespace parid::model
