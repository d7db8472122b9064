// Three-vectors over any Scalar.
//
// math/ holds small algebra over scalars and includes scalar/ only. No lazy evaluation: the code
// states the operations that are computed, so that counts and graphs are exact.

#pragma once

#include "math/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::math {

template <class T>
struct Vec3 {
  T x{0.0}, y{0.0}, z{0.0};
};

template <class T>
Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  VectorTally<T>::note(VectorOp::add);
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  VectorTally<T>::note(VectorOp::add);
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  VectorTally<T>::note(VectorOp::scale);
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  VectorTally<T>::note(VectorOp::cross);
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  VectorTally<T>::note(VectorOp::dot);
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

template <class T, class S>
Vec3<T> to(const Vec3<S>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

}  // namespace parid::math
