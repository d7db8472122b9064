// M = Lᵀ D L of a mass matrix with the sparsity of a tree, which the factors preserve.
//
// Source   Featherstone: Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees, Int. J. Robotics Research 24 (2005) 487-500. For a chain it is a Cholesky
// factorization from below.
//
// parent[k] < k is the next row that row k has an entry in, or -1. Only entries [k][i] with i on
// the path from k to the root are read or written.

#pragma once

#include <type_traits>
#include <utility>

#include "dynamics/layer.hpp"
#include "dynamics/tree_paths.hpp"
#include "scalar/packed_row.hpp"
#include "scalar/scalar.hpp"

namespace parid::dynamics {

// In place; the diagonal becomes 1/D.
template <class T>
void tree_factor(const TreePaths& paths, T* H, int stride) {
  using Row = PackedRow<T>;
  constexpr int step = Row::numbers;
  for (int k = paths.size() - 1; k >= 0; --k) {
    T* row = H + k * stride;
    row[k] = T(1.0) / row[k];
    paths.each(k, [&](int i) {
      const T l = row[i] * row[k];
      const auto wide = Row::spread(l);
      T* above = H + i * stride;
      auto subtract = [&](int first, int last) {
        int j = last;
        for (; step > 1 && j - step + 1 >= first; j -= step) {
          const int at = j - step + 1;
          Row::store(above + at, Row::load(above + at) - wide * Row::load(row + at));
        }
        for (; j >= first; --j) above[j] = above[j] - l * row[j];
      };
      subtract(i, i);
      paths.each_run(i, subtract);
      row[i] = l;
    });
  }
}

// x becomes M⁻¹ x.
template <class T>
void tree_solve(const TreePaths& paths, const T* H, int stride, T* x) {
  for (int k = paths.size() - 1; k >= 0; --k)
    paths.each(k, [&](int i) { x[i] = x[i] - H[k * stride + i] * x[k]; });
  for (int k = 0; k < paths.size(); ++k) {
    x[k] = x[k] * H[k * stride + k];
    paths.each(k, [&](int i) { x[k] = x[k] - H[k * stride + i] * x[i]; });
  }
}

namespace detail {

// f(first) for the columns [0, width) in steps of B registers, then of one.
template <class T, class F>
void each_column(int width, const F& f) {
  constexpr int step = PackedRow<T>::numbers, wide = 4;
  int c = 0;
  for (; c + wide * step <= width; c += wide * step) f(std::integral_constant<int, wide>(), c);
  for (; c < width; c += step) f(std::integral_constant<int, 1>(), c);
}

}  // namespace detail

// X becomes M⁻¹ X: one row of `width` numbers, a multiple of PackedRow<T>::numbers, for each row of
// M.
template <class T>
void tree_solve_rows(const TreePaths& paths, const T* H, int stride, T* X, int width) {
  using Row = PackedRow<T>;
  using Wide = typename Row::type;
  constexpr int step = Row::numbers;
  const int n = paths.size();
  detail::each_column<T>(width, [&](auto registers, int c) {
    constexpr int B = decltype(registers)::value;
    for (int k = n - 1; k >= 0; --k) {
      Wide x[B];
      for (int b = 0; b < B; ++b) x[b] = Row::load(X + k * width + c + b * step);
      paths.each(k, [&](int i) {
        const Wide l = Row::spread(H[k * stride + i]);
        T* above = X + i * width + c;
        for (int b = 0; b < B; ++b)
          Row::store(above + b * step, Row::load(above + b * step) - l * x[b]);
      });
    }
    for (int k = 0; k < n; ++k) {
      Wide x[B];
      const Wide d = Row::spread(H[k * stride + k]);
      for (int b = 0; b < B; ++b) x[b] = Row::load(X + k * width + c + b * step) * d;
      paths.each(k, [&](int i) {
        const Wide l = Row::spread(H[k * stride + i]);
        const T* above = X + i * width + c;
        for (int b = 0; b < B; ++b) x[b] = x[b] - l * Row::load(above + b * step);
      });
      for (int b = 0; b < B; ++b) Row::store(X + k * width + c + b * step, x[b]);
    }
  });
}

// X = M⁻¹, full. Rows of `width` numbers, at least padded<T>(n).
//
// Row k of L M⁻¹ = D⁻¹ L⁻ᵀ has nothing before its diagonal, which is that of D⁻¹.
template <class T>
void tree_inverse(const TreePaths& paths, const T* H, int stride, T* X, int width) {
  using Row = PackedRow<T>;
  using Wide = typename Row::type;
  constexpr int step = Row::numbers;
  const int n = paths.size();
  for (int k = 0; k < n; ++k) {
    T* row = X + k * width;
    detail::each_column<T>(padded<T>(k), [&](auto registers, int c) {
      constexpr int B = decltype(registers)::value;
      Wide x[B];
      for (int b = 0; b < B; ++b) x[b] = Wide(0.0);
      paths.each(k, [&](int i) {
        const Wide l = Row::spread(H[k * stride + i]);
        for (int b = 0; b < B; ++b) x[b] = x[b] - l * Row::load(X + i * width + c + b * step);
      });
      for (int b = 0; b < B; ++b) Row::store(row + c + b * step, x[b]);
    });
    T own = H[k * stride + k];
    paths.each(k, [&](int i) { own = own - H[k * stride + i] * row[i]; });
    row[k] = own;
    for (int i = 0; i < k; ++i) X[i * width + k] = row[i];
  }
}

// Y = A X for a full matrix A of n rows: rows of A, X and Y have these distances; `width` columns,
// a multiple of PackedRow<T>::numbers. Y is not X.
template <class T>
void times_rows(int n, const T* A, int a_distance, const T* X, T* Y, int width, int distance) {
  using Row = PackedRow<T>;
  using Wide = typename Row::type;
  constexpr int step = Row::numbers;
  auto block = [&](auto rows, auto registers, int k, int c) {
    constexpr int R = decltype(rows)::value, B = decltype(registers)::value;
    Wide y[R][B];
    for (int r = 0; r < R; ++r)
      for (int b = 0; b < B; ++b) y[r][b] = Wide(0.0);
    for (int i = 0; i < n; ++i) {
      Wide x[B];
      for (int b = 0; b < B; ++b) x[b] = Row::load(X + i * distance + c + b * step);
      for (int r = 0; r < R; ++r) {
        const Wide a = Row::spread(A[(k + r) * a_distance + i]);
        for (int b = 0; b < B; ++b) y[r][b] = y[r][b] + a * x[b];
      }
    }
    for (int r = 0; r < R; ++r)
      for (int b = 0; b < B; ++b) Row::store(Y + (k + r) * distance + c + b * step, y[r][b]);
  };
  using std::integral_constant;
  auto rows = [&](auto registers, int c) {
    int k = 0;
    for (; k + 4 <= n; k += 4) block(integral_constant<int, 4>(), registers, k, c);
    for (; k < n; ++k) block(integral_constant<int, 1>(), registers, k, c);
  };
  int c = 0;
  for (; c + 3 * step <= width; c += 3 * step) rows(integral_constant<int, 3>(), c);
  for (; c < width; c += step) rows(integral_constant<int, 1>(), c);
}

}  // namespace parid::dynamics
