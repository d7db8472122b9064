// Lagrangian inverse dynamics by 4x4 matrices, without recursion.
//
// Source   Uicker (1965), Kahn (1969), as Hollerbach (1980) Eq. (4) states it, with q̇_k q̇_l where
//          q̈_k q̈_l is printed, and the link's centre r_j in the gravity term.
// Order    O(n⁴): 75270 multiplications and 57850 additions at n = 6, evaluated as set forth. Every
//          term of every sum is independent: the most parallel and the most wasteful.
// Symbols  code   paper       meaning
//          A W    A W         pose of link i in link i−1; of link j in link i
//          U      ∂W/∂q       first derivative of link j's pose with respect to q_i
//          V      ∂²W/∂q∂q    second derivative, i ≤ k
//          J r    J r         pseudo-inertia and centre of mass of link j
//
//   τ_i = Σ_{j≥i} [ Σ_k Tr(U_ji J_j U_jkᵀ) q̈_k + Σ_kl Tr(U_ji J_j V_jklᵀ) q̇_k q̇_l
//                   − m_j gᵀ U_ji r_j ]
//
// Differs  Craig's frames, prismatic joints too.

#pragma once

#include "formulation/lagrange4.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"

namespace parid::formulation {

template <Scalar T>
class UickerKahn {
 public:
  static constexpr const char* id = "uicker_kahn";
  static constexpr bool exact = true;
  static constexpr Scope scope{};

  explicit UickerKahn(const Mechanism<T>& m)
      : n_(m.n),
        stride_(static_cast<std::size_t>(m.n) + 1),
        W_(stride_ * stride_),
        U_(stride_ * stride_),
        V_(stride_ * stride_ * stride_) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    derive(m, at);
    const Vec4<T> g = gravity_of(at);
    for (int i = 1; i <= n_; ++i) {
      Sum<T> sum;
      for (int j = i; j <= n_; ++j) {
        const Mat4<T> J = pseudo_inertia(m, j);
        for (int k = 1; k <= j; ++k) sum.add(trace(U(j, i) * J * transposed(U(j, k))) * at.qdd(k));
        for (int k = 1; k <= j; ++k)
          for (int l = 1; l <= j; ++l)
            sum.add(trace(U(j, i) * J * transposed(V(j, k, l))) * (at.qd(k) * at.qd(l)));
        sum.add(-(m.body[j][0] * dot(g, U(j, i) * centre_of(m, j))));
      }
      tau[i] = sum.value;
    }
  }

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * stride_ + static_cast<std::size_t>(j);
  }
  Mat4<T>& W(int i, int j) { return W_[at(i, j)]; }
  Mat4<T>& U(int j, int i) { return U_[at(j, i)]; }
  Mat4<T>& V(int j, int i, int k) {
    return V_[at(j, std::min(i, k)) * stride_ + static_cast<std::size_t>(std::max(i, k))];
  }

  // Each pose and derivative is one matrix product of earlier ones:
  //   W_ij = W_i,j−1 A_j;  U_ii = W_0,i−1 A'_i;  U_ji = U_ii W_ij
  //   V_iii = W_0,i−1 A''_i;  V_kik = U_k−1,i A'_k;  V_jik = V_kik W_kj
  void derive(const Mechanism<T>& m, const State<T>& at) {
    for (int j = 1; j <= n_; ++j) {
      const Mat4<T> A = pose_of(at, j);
      const Mat4<T> A1 = first_derivative(m.kind(j), A), A2 = second_derivative(m.kind(j), A);
      W(j - 1, j) = A;
      for (int i = 0; i + 1 < j; ++i) W(i, j) = W(i, j - 1) * A;
      U(j, j) = j == 1 ? A1 : W(0, j - 1) * A1;
      V(j, j, j) = j == 1 ? A2 : W(0, j - 1) * A2;
      for (int i = 1; i < j; ++i) V(j, i, j) = U(j - 1, i) * A1;
      for (int i = 1; i < j; ++i) U(j, i) = U(i, i) * W(i, j);
      for (int k = 1; k < j; ++k)
        for (int i = 1; i <= k; ++i) V(j, i, k) = V(k, i, k) * W(k, j);
    }
  }

  int n_;
  std::size_t stride_;
  std::vector<Mat4<T>> W_, U_, V_;
};

}  // namespace parid::formulation
