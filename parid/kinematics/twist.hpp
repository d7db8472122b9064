// A linear and an angular part: a velocity, an acceleration, or a column of a Jacobian.

#pragma once

#include "parid/math/mat3.hpp"

namespace parid {

template <class T>
struct Twist {
  Vec3<T> linear, angular;
};

template <class T>
Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class T>
Twist<T> operator*(const T& s, const Twist<T>& a) {
  return {s * a.linear, s * a.angular};
}
template <class T>
Twist<T> transposed_times(const Mat3<T>& R, const Twist<T>& a) {
  return {transposed_times(R, a.linear), transposed_times(R, a.angular)};
}

}  // namespace parid
