// A number type that counts operations.
//
// Counts are totals since the last reset(), per thread. Nothing is simplified: 0·x is one
// multiplication, as in the published operation counts. Negation, comparison and select are
// free.

#pragma once

#include <array>

#include "scalar/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::scalar {

struct OperationCount {
  long multiplications = 0, additions = 0, divisions = 0, square_roots = 0, sin_cos = 0, atan2 = 0;
  std::array<long, 5> vector{};  // by VectorOp; their scalar operations are counted above as well

  long of(VectorOp op) const { return vector[static_cast<int>(op)]; }
  bool operator==(const OperationCount&) const = default;
};

struct Counted {
  double value = 0;

  Counted() = default;
  explicit Counted(double v) : value(v) {}

  static OperationCount& count() {
    thread_local OperationCount n;
    return n;
  }
  static void reset() { count() = {}; }
};

inline Counted operator+(Counted a, Counted b) {
  return ++Counted::count().additions, Counted(a.value + b.value);
}
inline Counted operator-(Counted a, Counted b) {
  return ++Counted::count().additions, Counted(a.value - b.value);
}
inline Counted operator*(Counted a, Counted b) {
  return ++Counted::count().multiplications, Counted(a.value * b.value);
}
inline Counted operator/(Counted a, Counted b) {
  return ++Counted::count().divisions, Counted(a.value / b.value);
}
inline Counted operator-(Counted a) { return Counted(-a.value); }
inline bool operator<(Counted a, Counted b) { return a.value < b.value; }
inline Counted select(bool mask, Counted a, Counted b) { return mask ? a : b; }
inline Counted abs(Counted a) { return Counted(std::abs(a.value)); }
inline Counted sqrt(Counted a) {
  return ++Counted::count().square_roots, Counted(std::sqrt(a.value));
}
inline Counted atan2(Counted y, Counted x) {
  return ++Counted::count().atan2, Counted(std::atan2(y.value, x.value));
}

inline SinCos<Counted> sin_cos(Counted x) {
  ++Counted::count().sin_cos;
  const auto [s, c] = sin_cos(x.value);
  return {Counted(s), Counted(c)};
}

template <>
struct VectorTally<Counted> {
  static void note(VectorOp op) { ++Counted::count().vector[static_cast<int>(op)]; }
};

}  // namespace parid::scalar
