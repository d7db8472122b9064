// Configuration space: the torque as a polynomial in velocities and accelerations, whose
// coefficients depend on position alone, so that they can be tabulated (parid/table/).
//
// Source   Horn, Raibert: Configuration space control, The Industrial Robot, June 1978, 69-73, as
//          retold by Hollerbach (1980). Numbers (1)-(4) are ours.
// Order    O(n³), all of it parallel.
// Symbols  code    paper   meaning
//          G       G_i     torque of joint i that holds gravity
//          J       J_ij    inertia: torque of joint i for a unit acceleration of joint j
//          C       C_ijk   Coriolis (j ≠ k) and centrifugal (j = k) coefficients
//          qd qdd  q̇ q̈    rates of the joints
// Differs  the paper sums C_ijk q̇_j q̇_k over all j and k; C is symmetric in them, so we keep j ≤ k
//          with both halves in one coefficient, and form each product of rates once.

#pragma once

#include "formulation/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::formulation {

// The place of each coefficient in a row: G, then J for i ≤ j, then C for all i and j ≤ k.
struct Coefficients {
  int n = 0;

  int pairs() const { return n * (n + 1) / 2; }
  int pair(int j, int k) const { return j <= k ? j * n - j * (j - 1) / 2 + k - j : pair(k, j); }
  int G(int i) const { return i; }
  int J(int i, int j) const { return n + pair(i, j); }
  int C(int i, int j, int k) const { return n + pairs() + i * pairs() + pair(j, k); }
  int size() const { return n + pairs() + n * pairs(); }

  // The states that isolate them, one coefficient vector each: at rest, then a unit acceleration of
  // each joint, then for each pair j ≤ k a unit velocity of both. All but the first without
  // gravity.
  int motions() const { return 1 + n + pairs(); }
  template <class Visit>  // visit(motion, j, k), j = k for one joint
  void each_velocity(Visit&& visit) const {
    for (int j = 0; j < n; ++j)
      for (int k = j; k < n; ++k) visit(1 + n + pair(j, k), j, k);
  }

  // Row r of `tau` holds the n torques of motion r.
  template <Scalar T>
  void from_torques(const T* tau, T* out) const {
    auto torque = [&](int motion, int i) { return tau[motion * n + i]; };
    for (int i = 0; i < n; ++i) {
      out[G(i)] = torque(0, i);                                     // (1)
      for (int j = i; j < n; ++j) out[J(i, j)] = torque(1 + j, i);  // (2) τ(q, 0, e_j)
      each_velocity([&](int motion, int j, int k) {  // (3) τ(q, e_j + e_k, 0) − …
        out[C(i, j, k)] = j == k ? torque(motion, i)
                                 : torque(motion, i) - torque(1 + n + pair(j, j), i) -
                                       torque(1 + n + pair(k, k), i);
      });
    }
  }
};

// (4) τ_i = G_i + Σ_j J_ij q̈_j + Σ_{j≤k} C_ijk q̇_j q̇_k. `products` is room for n(n+1)/2 numbers.
// n(n+1)/2 + n²(n+1)/2 + n² multiplications, n² + n²(n+1)/2 additions: 183 and 162 for n = 6.
template <Scalar T>
void configuration_space_torque(const Coefficients& at, const T* c, const T* qd, const T* qdd,
                                T* products, T* tau) {
  for (int j = 0; j < at.n; ++j)
    for (int k = j; k < at.n; ++k) products[at.pair(j, k)] = qd[j] * qd[k];
  for (int i = 0; i < at.n; ++i) {
    T sum = c[at.G(i)];
    for (int j = 0; j < at.n; ++j) sum = sum + c[at.J(i, j)] * qdd[j];
    const T* C = c + at.C(i, 0, 0);
    for (int p = 0; p < at.pairs(); ++p) sum = sum + C[p] * products[p];
    tau[i] = sum;
  }
}

// The same as the paper counts it, over all j and k: 2n³ + n² multiplications, n³ + n² additions.
// For n = 6 that is 468 and 252; Hollerbach prints 264, for n³ + n² + 2n, which adds 2 to every
// joint that nothing in the sum needs. `c` has C_ijk and C_ikj apart: G (n), J (n × n), C (n × n ×
// n).
template <Scalar T>
void configuration_space_torque_as_printed(int n, const T* c, const T* qd, const T* qdd, T* tau) {
  const T *J = c + n, *C = J + n * n;
  for (int i = 0; i < n; ++i) {
    T sum = c[i];
    for (int j = 0; j < n; ++j) sum = sum + J[i * n + j] * qdd[j];
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) sum = sum + C[(i * n + j) * n + k] * qd[j] * qd[k];
    tau[i] = sum;
  }
}

}  // namespace parid::formulation
