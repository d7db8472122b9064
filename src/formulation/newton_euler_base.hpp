// Newton-Euler inverse dynamics with all vectors in base coordinates.
//
// Source   Orin, McGhee, Vukobratović and Hartoch (1979), as Lee and Chang state it
//          (Computational structures for robotic computations, equations 15-31), corrected: (17)
//          has q̇ where q̈ is printed, (29) has s_i.
// Order    O(n). Sums along the chain need no rotation, which is what makes them parallel prefixes.
// Symbols  code   paper   meaning, in base coordinates
//          R0     ⁰R_i    rotation, link i to base
//          z p s  z p s   axis of joint i; origin of i from its parent's; centre of mass from
//                         origin i
//          w wd   ω ω̇     angular velocity and acceleration
//          pdd    p̈       acceleration of the origin, less gravity
//          F N    F N     force and moment that move the link, at its centre of mass
//          f n    f n     what the link before exerts, at the origin
// Differs  frames are Craig's, so z_i is link i's own z and p_i is fixed in link i−1. Covers trees
//          and external wrenches.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T>
class NewtonEulerBase {
 public:
  static constexpr const char* id = "newton_euler_base";
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = true, .free_joints = false, .turning_base = true, .wrenches = true};

  explicit NewtonEulerBase(const Mechanism<T>& m) : link_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    link_[0] = {Mat3<T>::identity(), {}, at.base.w, at.base.wd, -at.gravity, {}, {}};
    for (int i = 1; i <= m.n; ++i) {
      const int parent = m.parent(i);
      const Link& j = link_[parent];
      auto& [R0, p, w, wd, pdd, f, n] = link_[i];
      R0 = parent == 0 ? at.R(i) : j.R0 * at.R(i);  // (15)
      p = parent == 0 ? at.p(i) : j.R0 * at.p(i);
      const Vec3<T> z = R0.column(2), s = R0 * m.centre[i].vec(0);
      const Sym3<T> J = m.centre[i].sym(3);
      const Vec3<T> z_qd = at.qd(i) * z, z_qdd = at.qdd(i) * z;
      w = j.w;
      wd = j.wd;
      pdd = j.pdd + cross(j.wd, p) + cross(j.w, cross(j.w, p));  // (21), (22)
      if (m.kind(i) == JointKind::revolute) {
        wd = wd + z_qdd + cross(w, z_qd);  // (19), (20)
        w = w + z_qd;                      // (17), (18)
      } else {
        const Vec3<T> coriolis = cross(w, z_qd);
        pdd = pdd + z_qdd + (coriolis + coriolis);
      }
      const Vec3<T> rdd = cross(wd, s) + cross(w, cross(w, s)) + pdd;  // (23)
      const Vec3<T> F = m.body[i][0] * rdd;                            // (24)
      const Vec3<T> wi = transposed_times(R0, w), wdi = transposed_times(R0, wd);
      const Vec3<T> N = R0 * (J * wdi + cross(wi, J * wi));  // (27)
      f = F;
      n = N + cross(s, F);
      if (at.external) {
        f = f - R0 * at.external[i].f;
        n = n - R0 * at.external[i].n;
      }
    }
    for (int i = m.n; i >= 1; --i) {
      const Link& l = link_[i];
      tau[i] = dot(m.kind(i) == JointKind::revolute ? l.n : l.f, l.R0.column(2));  // (31)
      if (m.parent(i) == 0) continue;
      Link& j = link_[m.parent(i)];
      j.f = j.f + l.f;                    // (28)
      j.n = j.n + l.n + cross(l.p, l.f);  // (29), (30)
    }
  }

 private:
  struct Link {
    Mat3<T> R0;
    Vec3<T> p, w, wd, pdd, f, n;
  };
  std::vector<Link> link_;  // [0] is the base
};

}  // namespace parid::formulation
