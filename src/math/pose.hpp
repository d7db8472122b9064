// The pose of one frame in another: x_parent = R x_child + p.

#pragma once

#include "math/layer.hpp"
#include "math/mat3.hpp"

namespace parid::math {

template <class T>
struct Pose {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p;
};

template <class T>
Vec3<T> operator*(const Pose<T>& A, const Vec3<T>& x) {
  return A.R * x + A.p;
}
template <class T>
Pose<T> operator*(const Pose<T>& A, const Pose<T>& B) {
  return {A.R * B.R, A.R * B.p + A.p};
}
template <class T>
Pose<T> inverse(const Pose<T>& A) {
  return {transposed(A.R), -transposed_times(A.R, A.p)};
}

}  // namespace parid::math
