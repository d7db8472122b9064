// Quaternions of any length.
//
// Files and users round them, and integrators drift. Normalizing here, where a quaternion
// becomes a rotation, makes all evaluations, interfaces and generated programs agree, for one
// division.

#pragma once

#include "math/layer.hpp"
#include "math/mat3.hpp"

namespace parid::math {

// The rotation of x i + y j + z k + w, of any length whose square neither overflows nor is zero.
// The zero quaternion gives NaN.
template <class T>
Mat3<T> rotation_of_quaternion(const T& x, const T& y, const T& z, const T& w) {
  const T one(1.0), xx = x * x, yy = y * y, zz = z * z;
  const T s = T(2.0) / (xx + yy + zz + w * w);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T xy = sx * y, xz = sx * z, yz = sy * z, wx = sx * w, wy = sy * w, wz = sz * w;
  const T xs = sx * x, ys = sy * y, zs = sz * z;
  return {{one - (ys + zs), xy - wz, xz + wy},
          {xy + wz, one - (xs + zs), yz - wx},
          {xz - wy, yz + wx, one - (xs + ys)}};
}

}  // namespace parid::math
