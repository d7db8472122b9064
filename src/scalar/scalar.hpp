// The concept that every formulation requires of its number type.
//
// scalar/ holds the number types; it includes no other layer. A formulation is written once, over
// any Scalar T, and T decides what running it means:
//
//   double, float    the torque
//   Pack<W>          the torque of W samples at once (SIMD lanes)
//   Counted          how many operations it takes
//   Dual<N>          the torque and its N derivatives
//
// A comparison of two Scalars yields a mask, not a bool: packs have no single truth value, so a
// formulation cannot branch on data. It uses select(a < b, x, y) instead.

#pragma once

#include <cmath>
#include <concepts>

#include "scalar/layer.hpp"

namespace parid::scalar {

template <class T>
struct SinCos {
  T sin, cos;
};

template <std::floating_point T>
SinCos<T> sin_cos(T x) {
  return {std::sin(x), std::cos(x)};
}
template <std::floating_point T>
T select(bool mask, T a, T b) {
  return mask ? a : b;
}
using std::abs;
using std::atan2;
using std::sqrt;

template <class T>
concept Scalar = std::copyable<T> && requires(T a, T b) {
  T(0.0);
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { abs(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  { select(a < b, a, b) } -> std::convertible_to<T>;
  { sin_cos(a) } -> std::same_as<SinCos<T>>;  // one operation: a CORDIC module yields both
};

// How many links a number type processes at once in a pass without dependencies between links, and
// in what type. A pack of one lane has room for more (pack.hpp); all others take one at a time.
template <class T>
struct PackedLinks {
  using type = T;
  static constexpr int links = 1;
  static const T& load(const T* p) { return *p; }
  static void store(T* p, const T& x) { *p = x; }
};

// The vector operations counted by Lathrop (1985). Vec3 and Mat3 report each one; only a number
// type that counts overloads the function, in its own file.
enum class VectorOp { matrix_vector, cross, add, scale, dot };
template <class T>
struct VectorTally {
  static void note(VectorOp) {}
};

}  // namespace parid::scalar
