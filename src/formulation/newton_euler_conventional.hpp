// Newton-Euler inverse dynamics in link coordinates, as in textbooks.
//
// Source   Dhanaraj (1990) Table 2.3, after Luh, Walker and Paul (1980), with misprints corrected:
//          in step 9 a prismatic joint takes f_z, and Appendix B's R α_i (B.7, B.9) is R α_{i-1}.
// Order    O(n): 135 multiplications and 110 additions for each revolute joint.
// Symbols  code   source   meaning, in the coordinates of link i
//          R p    R p      rotation, link i to its parent; origin of i in the parent
//          w al   ω α      angular velocity and acceleration
//          a ac   a a_c    acceleration of the origin, of the centre of mass
//          s I    s I      centre of mass; inertia about it
//          F N    F N      force and moment that move the link, at its centre of mass
//          f n    f n      what the link before exerts, at the origin
// Differs  covers trees and external wrenches; nothing is reused that the table does not reuse, so
//          that its cost is the table's.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T>
class NewtonEulerConventional {
 public:
  static constexpr const char* id = "newton_euler_conventional";
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = true, .free_joints = false, .turning_base = true, .wrenches = true};

  explicit NewtonEulerConventional(const Mechanism<T>& m) : link_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    link_[0] = {at.base.w, at.base.wd, -at.gravity, {}, {}};
    for (int i = 1; i <= m.n; ++i) {
      const Link& j = link_[m.parent(i)];
      auto& [w, al, a, f, n] = link_[i];
      const Mat3<T> R = at.R(i);
      const Vec3<T> p = at.p(i), s = m.centre[i].vec(0), z_qd{T(0.0), T(0.0), at.qd(i)};
      const Sym3<T> I = m.centre[i].sym(3);
      w = transposed_times(R, j.w);                                                 // Step 1
      al = transposed_times(R, j.al);                                               // Step 2
      a = transposed_times(R, j.a + (cross(j.al, p) + cross(j.w, cross(j.w, p))));  // Step 3
      if (m.kind(i) == JointKind::revolute) {
        w.z = w.z + at.qd(i);
        al = al + cross(transposed_times(R, j.w), z_qd);
        al.z = al.z + at.qdd(i);
      } else {
        const Vec3<T> coriolis = cross(w, z_qd);
        a = a + (coriolis + coriolis);
        a.z = a.z + at.qdd(i);
      }
      const Vec3<T> ac = a + (cross(al, s) + cross(w, cross(w, s)));  // Step 4
      const Vec3<T> F = m.body[i][0] * ac;                            // Step 5
      const Vec3<T> N = I * al + cross(w, I * w);                     // Step 6
      f = F;
      n = N + cross(s, F);
      if (at.external) {
        f = f - at.external[i].f;
        n = n - at.external[i].n;
      }
    }
    for (int i = m.n; i >= 1; --i) {
      const Link& l = link_[i];
      tau[i] = m.kind(i) == JointKind::revolute ? l.n.z : l.f.z;  // Step 9
      if (m.parent(i) == 0) continue;
      Link& j = link_[m.parent(i)];
      const Vec3<T> Rf = at.R(i) * l.f;
      j.f = j.f + Rf;                                  // Step 7
      j.n = j.n + at.R(i) * l.n + cross(at.p(i), Rf);  // Step 8
    }
  }

 private:
  struct Link {
    Vec3<T> w, al, a, f, n;
  };
  std::vector<Link> link_;  // [0] is the base
};

}  // namespace parid::formulation
