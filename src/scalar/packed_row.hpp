// Neighbouring numbers of a row, for passes in which the columns are independent.
//
// One sample leaves the lanes of a register empty; the columns of a matrix fill them.

#pragma once

#include "scalar/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::scalar {

// A set whose PackedLinks hold one link: passes that read all numbers of one link at a time have
// them side by side.
template <class Isa>
struct OneLink : Isa {
  static constexpr int bytes = sizeof(double);
};

// By the C library, which is faster for one number than the lanes' series.
template <class I>
SinCos<Pack<1, double, OneLink<I>>> sin_cos(const Pack<1, double, OneLink<I>>& x) {
  SinCos<Pack<1, double, OneLink<I>>> y;
  y.sin.lane = std::sin(x.lane);
  y.cos.lane = std::cos(x.lane);
  return y;
}

template <class T>
struct PackedRow {
  using type = T;
  static constexpr int numbers = 1;
  static const T& load(const T* p) { return *p; }
  static void store(T* p, const T& x) { *p = x; }
  static const T& spread(const T& x) { return x; }
};

template <class R, class I>
struct PackedRow<Pack<1, R, OneLink<I>>> {
  static constexpr int bytes = I::bytes < 32 ? I::bytes : 32;
  static constexpr int numbers = bytes / static_cast<int>(sizeof(R));
  using One = Pack<1, R, OneLink<I>>;
  using type = Pack<numbers, R, I>;
  static type load(const One* p) {
    type x;
    __builtin_memcpy(&x.lane, &p->lane, sizeof x.lane);
    return x;
  }
  static void store(One* p, const type& x) { __builtin_memcpy(&p->lane, &x.lane, sizeof x.lane); }
  static type spread(const One& x) { return type(x.lane); }
};

// The least multiple of PackedRow<T>::numbers that is not below n.
template <class T>
constexpr int padded(int n) {
  constexpr int numbers = PackedRow<T>::numbers;
  return (n + numbers - 1) / numbers * numbers;
}
// A distance between rows of n numbers: padded(n), and an odd number of cache lines where rows are
// long, so that a column does not fall into few sets of the cache.
template <class T>
constexpr int row_distance(int n) {
  constexpr int line = 64 / sizeof(T) > 0 ? static_cast<int>(64 / sizeof(T)) : 1;
  if (PackedRow<T>::numbers == 1 || n <= 2 * line) return padded<T>(n);
  return ((n + line - 1) / line | 1) * line;
}

}  // namespace parid::scalar
