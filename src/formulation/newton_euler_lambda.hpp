// Newton-Euler with the λ matrix of Dhanaraj (1990).
//
// Source   Dhanaraj (1990) Table 2.4, corrected: Dx = Izz − Iyy and so on (as in 2.43), the signs
//          of λ's entries (2,1) and (3,2), and τ = f_z at a prismatic joint. There λ_i would be Rᵀ
//          λ R (2.36; the table's R λ Rᵀ is wrong); the same from ω and α directly costs less.
// Order    O(n): 92 multiplications and 82 additions for each revolute joint, where I is diagonal.
// Symbols  code   source   meaning, in the coordinates of link i
//          w al   ω α      angular velocity and acceleration
//          k      k        (ωy ωz, ωz ωx, ωx ωy)
//          lam    λ        α× + ω×ω×: the acceleration that turning gives a point at r is λ r
//          a ac   a a_c    acceleration of the origin, of the centre of mass
//          s I D  s I D    centre of mass; inertia about it; (Izz − Iyy, Ixx − Izz, Iyy − Ixx)
//          f n    f n      what the link before exerts, at the origin
// Differs  the inertia tensor may be full (Eq. 2.41); that a diagonal one is cheaper is for
//          simplify to find. Covers trees and external wrenches.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T>
class NewtonEulerLambda {
 public:
  static constexpr const char* id = "newton_euler_lambda";
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = true, .free_joints = false, .turning_base = true, .wrenches = true};

  explicit NewtonEulerLambda(const Mechanism<T>& m) : link_(m.n + 1), D_(m.n + 1) {
    for (int i = 1; i <= m.n; ++i) {
      const Sym3<T> I = m.centre[i].sym(3);
      D_[i] = {I.zz - I.yy, I.xx - I.zz, I.yy - I.xx};
    }
  }

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    link_[0] = {at.base.w, at.base.wd, -at.gravity, {}, {}, turning(at.base.w, at.base.wd)};
    for (int i = 1; i <= m.n; ++i) {
      const Link& j = link_[m.parent(i)];
      auto& [w, al, a, f, n, lam] = link_[i];
      const Mat3<T> R = at.R(i);
      const Vec3<T> s = m.centre[i].vec(0);
      const Sym3<T> I = m.centre[i].sym(3);
      const T qd = at.qd(i), qdd = at.qdd(i);
      w = transposed_times(R, j.w);
      al = transposed_times(R, j.al);
      a = transposed_times(R, j.a + j.lam * at.p(i));  // Step 4
      if (m.kind(i) == JointKind::revolute) {
        w.z = w.z + qd;                                       // Step 1
        al = {al.x + qd * w.y, al.y - qd * w.x, al.z + qdd};  // Step 2
      } else {
        const T twice = qd + qd;
        a = {a.x + twice * w.y, a.y - twice * w.x, a.z + qdd};
      }
      const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;  // Step 3
      const Vec3<T> k{w.y * w.z, w.z * w.x, w.x * w.y};
      lam = {{-yy - zz, k.z - al.z, k.y + al.y},
             {k.z + al.z, -xx - zz, k.x - al.x},
             {k.y - al.y, k.x + al.x, -xx - yy}};
      const Vec3<T> ac = a + lam * s;                         // Step 5
      const Vec3<T> F = m.body[i][0] * ac;                    // Step 6
      const Vec3<T> N = moment(I, D_[i], al, k, xx, yy, zz);  // Step 7
      f = F;
      n = N + cross(s, F);
      if (at.external) {
        f = f - at.external[i].f;
        n = n - at.external[i].n;
      }
    }
    for (int i = m.n; i >= 1; --i) {
      const Link& l = link_[i];
      tau[i] = m.kind(i) == JointKind::revolute ? l.n.z : l.f.z;  // Step 10
      if (m.parent(i) == 0) continue;
      Link& j = link_[m.parent(i)];
      const Vec3<T> Rf = at.R(i) * l.f;
      j.f = j.f + Rf;                                  // Step 8
      j.n = j.n + at.R(i) * l.n + cross(at.p(i), Rf);  // Step 9
    }
  }

 private:
  struct Link {
    Vec3<T> w, al, a, f, n;
    Mat3<T> lam;
  };

  // I α + ω × I ω = (Ixx αx + Dx kx, …) + the products of inertia's part (2.41), whose entries are
  // λ's again.
  static Vec3<T> moment(const Sym3<T>& I, const Vec3<T>& D, const Vec3<T>& al, const Vec3<T>& k,
                        const T& xx, const T& yy, const T& zz) {
    const Vec3<T> diagonal{I.xx * al.x + D.x * k.x, I.yy * al.y + D.y * k.y,
                           I.zz * al.z + D.z * k.z};
    const Vec3<T> rest{I.xy * (al.y - k.y) + I.xz * (al.z + k.z) + I.yz * (yy - zz),
                       I.xy * (al.x + k.x) + I.yz * (al.z - k.z) + I.xz * (zz - xx),
                       I.xz * (al.x - k.x) + I.yz * (al.y + k.y) + I.xy * (xx - yy)};
    return diagonal + rest;
  }

  std::vector<Link> link_;  // [0] is the base
  std::vector<Vec3<T>> D_;
};

}  // namespace parid::formulation
