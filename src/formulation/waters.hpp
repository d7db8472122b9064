// Lagrangian inverse dynamics by 4x4 matrices with Waters' forward recursion.
//
// Source   Waters (1979), as Hollerbach (1980) Eqs. (6)-(10) states it, corrected: W_j = W_{j-1}
//          A_j where Ẇ is printed, and r_j in the gravity term.
// Order    O(n²): the accelerations Ẅ_j come from the base out, the sums over j ≥ i stay.
// Symbols  code     paper    meaning
//          Wdd      Ẅ        second time derivative of link j's pose in the base
//          U        ∂W/∂q    derivative of link j's pose with respect to q_i
//          J r      J r      pseudo-inertia and centre of mass of link j
//
//   τ_i = Σ_{j≥i} [ Tr(U_ji J_j Ẅ_jᵀ) − m_j gᵀ U_ji r_j ]
//
// Differs  Craig's frames, prismatic joints too.

#pragma once

#include "formulation/lagrange4.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"

namespace parid::formulation {

template <Scalar T>
class Waters {
 public:
  static constexpr const char* id = "waters";
  static constexpr bool exact = true;
  static constexpr Scope scope{};

  explicit Waters(const Mechanism<T>& m) : U_(m.n + 1), sum_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    const Vec4<T> g = gravity_of(at);
    Turning4<T> link;
    for (auto& s : sum_) s = {};
    for (int j = 1; j <= m.n; ++j) {
      const Mat4<T> A = pose_of(at, j), J = pseudo_inertia(m, j);
      const Mat4<T> A1 = first_derivative(m.kind(j), A), A2 = second_derivative(m.kind(j), A);
      for (int i = 1; i < j; ++i) U_[i] = U_[i] * A;
      U_[j] = j == 1 ? A1 : link.W * A1;
      link = link.next(j == 1, A, A1, A2, at.qd(j), at.qdd(j));
      for (int i = 1; i <= j; ++i)
        sum_[i].add(trace(U_[i] * J * transposed(link.Wdd)) -
                    m.body[j][0] * dot(g, U_[i] * centre_of(m, j)));
    }
    for (int i = 1; i <= m.n; ++i) tau[i] = sum_[i].value;
  }

 private:
  std::vector<Mat4<T>> U_;  // of the current link, by joint
  std::vector<Sum<T>> sum_;
};

}  // namespace parid::formulation
