// Recursive Lagrangian inverse dynamics by 4x4 matrices.
//
// Source   Hollerbach (1980) Eqs. (8)-(14), corrected: W_j = W_{j-1} A_j where Ẇ is printed;
//          (11)-(13) have r_j and ⁱW_j where the scan has J_j and nothing.
// Order    O(n): forward Ẅ, backward D and c.
// Symbols  code   paper   meaning
//          Wdd    Ẅ       second time derivative of link i's pose in the base
//          W1     ∂W/∂q   derivative of link i's pose with respect to q_i
//          D c    D c     Σ_{j≥i} ⁱW_j J_j Ẅ_jᵀ;  Σ_{j≥i} m_j ⁱW_j r_j
//
//   D_i = J_i Ẅ_iᵀ + A_{i+1} D_{i+1};  c_i = m_i r_i + A_{i+1} c_{i+1};
//     τ_i = Tr(W1_i D_i) − gᵀ W1_i c_i
//
// Differs  Craig's frames, prismatic joints too.

#pragma once

#include "formulation/lagrange4.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"

namespace parid::formulation {

template <Scalar T>
class Hollerbach4 {
 public:
  static constexpr const char* id = "hollerbach4";
  static constexpr bool exact = true;
  static constexpr Scope scope{};

  explicit Hollerbach4(const Mechanism<T>& m) : A_(m.n + 1), W1_(m.n + 1), Wdd_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    Turning4<T> link;
    for (int i = 1; i <= m.n; ++i) {
      const Mat4<T>& A = A_[i] = pose_of(at, i);
      const Mat4<T> A1 = first_derivative(m.kind(i), A), A2 = second_derivative(m.kind(i), A);
      W1_[i] = i == 1 ? A1 : link.W * A1;
      link = link.next(i == 1, A, A1, A2, at.qd(i), at.qdd(i));
      Wdd_[i] = link.Wdd;
    }
    const Vec4<T> g = gravity_of(at);
    Mat4<T> D;
    Vec4<T> c;
    for (int i = m.n; i >= 1; --i) {
      const Mat4<T> own = pseudo_inertia(m, i) * transposed(Wdd_[i]);
      const Vec4<T> r = centre_of(m, i);
      const T mass = m.body[i][0];
      const Vec4<T> mr{mass * r[0], mass * r[1], mass * r[2], mass * r[3]};
      D = i == m.n ? own : own + A_[i + 1] * D;
      c = i == m.n ? mr : plus(mr, A_[i + 1] * c);
      tau[i] = trace(W1_[i] * D) - dot(g, W1_[i] * c);
    }
  }

 private:
  static Vec4<T> plus(const Vec4<T>& a, const Vec4<T>& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }
  std::vector<Mat4<T>> A_, W1_, Wdd_;
};

}  // namespace parid::formulation
