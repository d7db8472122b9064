// M = Lᵀ D L of a mass matrix with the sparsity of a tree, which the factors preserve.
//
// Source   Featherstone: Efficient factorization of the joint-space inertia matrix for branched
// kinematic trees, Int. J. Robotics Research 24 (2005) 487-500. For a chain it is a Cholesky
// factorization from below.
//
// parent[k] < k is the next row that row k has an entry in, or -1. Only entries [k][i] with i on
// the path from k to the root are read or written.

#pragma once

#include <span>

#include "dynamics/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::dynamics {

// In place; the diagonal becomes 1/D.
template <class T>
void tree_factor(std::span<const int> parent, T* H, int stride) {
  const int n = static_cast<int>(parent.size());
  for (int k = n - 1; k >= 0; --k) {
    T* row = H + k * stride;
    row[k] = T(1.0) / row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      const T l = row[i] * row[k];
      T* above = H + i * stride;
      for (int j = i; j >= 0; j = parent[j]) above[j] = above[j] - l * row[j];
      row[i] = l;
    }
  }
}

// x becomes M⁻¹ x.
template <class T>
void tree_solve(std::span<const int> parent, const T* H, int stride, T* x) {
  const int n = static_cast<int>(parent.size());
  for (int k = n - 1; k >= 0; --k)
    for (int i = parent[k]; i >= 0; i = parent[i]) x[i] = x[i] - H[k * stride + i] * x[k];
  for (int k = 0; k < n; ++k) {
    x[k] = x[k] * H[k * stride + k];
    for (int i = parent[k]; i >= 0; i = parent[i]) x[k] = x[k] - H[k * stride + i] * x[i];
  }
}

}  // namespace parid::dynamics
