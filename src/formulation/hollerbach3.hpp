// Recursive Lagrangian inverse dynamics by 3x3 matrices.
//
// Source   Hollerbach (1980) Eqs. (15)-(18) and Appendices A and B, corrected: (16) has + Ẅ p; n_i
//          is m_i r_i; e is in base coordinates; and c_i, "the same as (13)" in the paper, lacks
//          there the lever of the links beyond, (Σ_{j>i} m_j) p_{i+1}, without which gravity is
//          wrong.
// Order    O(n): forward Ẅ and p̈, backward D, e and c.
// Symbols  code   paper   meaning
//          A p    A p*    rotation of link i in link i−1; origin of i in link i−1
//          Wdd    Ẅ       second time derivative of link i's rotation in the base
//          pdd    p̈       acceleration of its origin, in the base
//          n J    n J     ∫r dm and ∫r rᵀ dm of link i, in link i
//          D e c  D e c   Σ_{j≥i} of links' moments, forces and mass, seen from link i
//
//   p̈_i = p̈_{i-1} + Ẅ_{i-1} p_i                        e_i = e_{i+1} + m_i p̈_i + Ẅ_i n_i
//   D_i = A_{i+1} D_{i+1} + p_{i+1} e_{i+1}ᵀ + n_i p̈_iᵀ + J_i Ẅ_iᵀ
//   c_i = n_i + A_{i+1} c_{i+1} + M_{i+1} p_{i+1}      τ_i = Tr(W1_i D_i) − gᵀ W1_i c_i
//
// Differs  Craig's frames. Prismatic joints, which the paper leaves out: p̈_i gains 2 Ẇ_{i-1} z q̇ +
//          W_{i-1} z q̈, and τ_i = z_i · (e_i − M_i g).

#pragma once

#include "formulation/lagrange4.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"

namespace parid::formulation {

template <Scalar T>
class Hollerbach3 {
 public:
  static constexpr const char* id = "hollerbach3";
  static constexpr bool exact = true;
  static constexpr Scope scope{};

  explicit Hollerbach3(const Mechanism<T>& m) : link_(m.n + 1), mass_beyond_(m.n + 2, T(0.0)) {
    for (int i = m.n; i >= 1; --i)
      mass_beyond_[i] = i == m.n ? m.body[i][0] : mass_beyond_[i + 1] + m.body[i][0];
  }

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    Mat3<T> W, Wd, Wdd;
    Vec3<T> pdd;
    for (int i = 1; i <= m.n; ++i) {
      const Mat3<T> A = at.R(i);
      const Vec3<T> p = at.p(i), z = A.column(2);
      const T qd = at.qd(i), qdd = at.qdd(i);
      const bool turns = m.kind(i) == JointKind::revolute, on_base = i == 1;
      const Mat3<T> A1 = turns ? quarter_turned(A) : Mat3<T>(),
                    A2 = turns ? quarter_turned(A1) : Mat3<T>();
      auto W_ = [&](const Mat3<T>& B) { return on_base ? B : W * B; };
      auto Wd_ = [&](const Mat3<T>& B) { return on_base ? Mat3<T>() : Wd * B; };
      auto Wdd_ = [&](const Mat3<T>& B) { return on_base ? Mat3<T>() : Wdd * B; };
      if (!on_base) pdd = pdd + Wdd * p;
      if (!turns && !on_base) pdd = pdd + (T(2.0) * qd) * (Wd * z) + qdd * (W * z);
      if (!turns && on_base) pdd = pdd + qdd * z;
      link_[i].W1 = W_(A1);
      const Mat3<T> Wdd_next =
          Wdd_(A) + (T(2.0) * qd) * Wd_(A1) + (qd * qd) * W_(A2) + qdd * W_(A1);
      const Mat3<T> Wd_next = Wd_(A) + qd * W_(A1);
      W = W_(A);
      Wd = Wd_next;
      Wdd = Wdd_next;
      link_[i].Wdd = Wdd;
      link_[i].pdd = pdd;
      link_[i].z = W.column(2);
    }
    const Vec3<T> g = at.gravity;
    Mat3<T> D;
    Vec3<T> e, c;
    for (int i = m.n; i >= 1; --i) {
      const auto& [W1, Wdd_i, pdd_i, z] = link_[i];
      const T mass = m.body[i][0];
      const Vec3<T> n = m.body[i].vec(1);
      const Sym3<T> K = m.body[i].sym(4);
      const Mat3<T> J{{K.xx, K.xy, K.xz}, {K.xy, K.yy, K.yz}, {K.xz, K.yz, K.zz}};
      const Mat3<T> own = outer(n, pdd_i) + J * transposed(Wdd_i);
      const Vec3<T> force = mass * pdd_i + Wdd_i * n;
      if (i == m.n) {
        D = own;
        e = force;
        c = n;
      } else {
        const Mat3<T> A = at.R(i + 1);
        const Vec3<T> p = at.p(i + 1);
        D = A * D + outer(p, e) + own;
        e = e + force;
        c = n + A * c + mass_beyond_[i + 1] * p;
      }
      if (m.kind(i) == JointKind::revolute) {
        const Mat3<T> WD = W1 * D;
        tau[i] = (WD.r0.x + WD.r1.y + WD.r2.z) - dot(g, W1 * c);
      } else {
        tau[i] = dot(z, e - mass_beyond_[i] * g);
      }
    }
  }

 private:
  // A·Q for a turn about z: columns (y, −x, 0).
  static Mat3<T> quarter_turned(const Mat3<T>& A) {
    const T o(0.0);
    return {{A.r0.y, -A.r0.x, o}, {A.r1.y, -A.r1.x, o}, {A.r2.y, -A.r2.x, o}};
  }
  struct Link {
    Mat3<T> W1, Wdd;
    Vec3<T> pdd, z;
  };
  std::vector<Link> link_;
  std::vector<T> mass_beyond_;  // Σ_{j≥i} m_j
};

}  // namespace parid::formulation
