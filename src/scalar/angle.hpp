// An angle plus a constant, for angles of any size.
//
// The sine of a large angle is exact for the double that is given. Rounding q + offset first would
// lose the constant's digits below the last digit of q: 1e-7 rad at 1e9 rad, and in float 0.03 rad
// at 1e6 rad. So an angle beyond `plain_angle` is reduced by whole turns before anything is added
// to it. Number types with negligible rounding, and those that record operations, add
// directly.

#pragma once

#include <cmath>
#include <concepts>

#include "parid/export.h"  // for the template API
#include "scalar/layer.hpp"

namespace parid::scalar {

// Up to here a sum may be rounded: to 7e-15 rad in double, 5e-7 rad in float.
template <class Real>
inline constexpr Real plain_angle = Real(64);
template <>
inline constexpr float plain_angle<float> = 8;

// x minus whole turns, in −π … π, within 1e-15 rad; NaN if x is not finite.
PARID_EXPORT double reduced_angle(double x);
// scale · q + offset minus whole turns: the product is not rounded, for any size.
PARID_EXPORT double reduced_angle(double scale, double q, double offset);

// q + offset, or the same angle.
template <class T>
T angle_sum(const T& q, const T& offset) {
  return q + offset;
}
// scale · q + offset, or the same angle.
template <class T>
T mimic_angle(const T& q, double scale, double offset) {
  return T(scale) * q + T(offset);
}

template <class T>
requires std::same_as<T, double> || std::same_as<T, float> T angle_sum(const T& q,
                                                                       const T& offset) {
  const T sum = q + offset;
  if (!(std::abs(q) > plain_angle<T>) || offset == 0) [[likely]]
    return sum;
  return static_cast<T>(reduced_angle(1, q, offset));
}
template <class T>
requires std::same_as<T, double> || std::same_as<T, float> T mimic_angle(const T& q, double scale,
                                                                         double offset) {
  const T turned = static_cast<T>(scale) * q;
  if (!(std::abs(turned) > plain_angle<T>)) [[likely]]
    return turned + static_cast<T>(offset);
  return static_cast<T>(reduced_angle(scale, q, offset));
}

}  // namespace parid::scalar
