// How a body moves, and what moves it, as six numbers at one point: the algebra of spatial vectors.

#pragma once

#include "parid/math/mat3.hpp"

namespace parid {

template <class T>
struct Twist {  // velocity of the point of the body at the origin, and angular velocity
  Vec3<T> v, w;
};
template <class T>
struct Wrench {  // force, and moment about the origin
  Vec3<T> f, n;
};

template <class T>
Twist<T> operator+(const Twist<T>& a, const Twist<T>& b) {
  return {a.v + b.v, a.w + b.w};
}
template <class T>
Twist<T> operator*(const T& s, const Twist<T>& a) {
  return {s * a.v, s * a.w};
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
// Power.
template <class T>
T dot(const Twist<T>& a, const Wrench<T>& b) {
  return dot(a.v, b.f) + dot(a.w, b.n);
}
// How b changes when it is carried along by a.
template <class T>
Twist<T> cross(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.w, b.v) + cross(a.v, b.w), cross(a.w, b.w)};
}
template <class T>
Wrench<T> cross(const Twist<T>& a, const Wrench<T>& b) {
  return {cross(a.w, b.f), cross(a.w, b.n) + cross(a.v, b.f)};
}

}  // namespace parid
