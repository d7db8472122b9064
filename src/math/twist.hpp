// Spatial vectors: the motion of a body, and the load on it, as six numbers at one point.

#pragma once

#include "math/layer.hpp"
#include "math/mat3.hpp"

namespace parid::math {

template <class T>
struct
    Twist {  // velocity of the body's point at the origin, and angular velocity; or a column of a
             // Jacobian, or an acceleration
  Vec3<T> linear, angular;
};
template <class T>
struct Wrench {  // force, and moment about the origin
  Vec3<T> f, n;
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
Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.f + b.f, a.n + b.n};
}
template <class T>
Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.f - b.f, a.n - b.n};
}
template <class T>
Wrench<T> operator*(const T& s, const Wrench<T>& a) {
  return {s * a.f, s * a.n};
}
template <class T>
Twist<T> transposed_times(const Mat3<T>& R, const Twist<T>& a) {
  return {transposed_times(R, a.linear), transposed_times(R, a.angular)};
}
// Power.
template <class T>
T dot(const Twist<T>& a, const Wrench<T>& b) {
  return dot(a.linear, b.f) + dot(a.angular, b.n);
}
// The rate of change of b when it moves with a.
template <class T>
Twist<T> cross(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}
template <class T>
Wrench<T> cross(const Twist<T>& a, const Wrench<T>& b) {
  return {cross(a.angular, b.f), cross(a.angular, b.n) + cross(a.linear, b.f)};
}

}  // namespace parid::math
