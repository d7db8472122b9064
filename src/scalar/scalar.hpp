// The one thing every formulation may assume about its numbers.
//
// scalar/ holds the number types; it includes nothing of Parid. A formulation is written once, over
// any Scalar T, and what T is decides what running it means:
//
//   double, float    the torque
//   Pack<W>          the torque of W samples at once (SIMD lanes)
//   Counted          how many operations it takes
//   Dual<N>          the torque and its N derivatives
//
// A comparison of two Scalars yields a mask, not a bool: packs have no single truth value, so a
// formulation cannot branch on data. It says select(a < b, x, y) instead.

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
  { sin_cos(a) } -> std::same_as<SinCos<T>>;  // one operation: a CORDIC box yields both
};

// How many links a number type likes to take at once in a pass where no link waits for another, and
// in what type. A pack of one lane has room for more (pack.hpp); for all others a link is a link.
template <class T>
struct PackedLinks {
  using type = T;
  static constexpr int links = 1;
  static const T& load(const T* p) { return *p; }
  static void store(T* p, const T& x) { *p = x; }
};

// The vector operations that Lathrop counts. Vec3 and Mat3 report each one they do; only a number
// type that counts listens (an overload in its own file).
enum class VectorOp { matrix_vector, cross, add, scale, dot };
template <class T>
struct VectorTally {
  static void note(VectorOp) {}
};

}  // namespace parid::scalar
