// Newton-Euler inverse dynamics in link coordinates: the reference formulation.
//
// formulation/ holds ways to compute the same torques. A formulation uses numbers and mechanisms
// only: no batches, threads, tracing, files, options.
//
// Source   Luh, Walker, Paul: On-line computational scheme for mechanical manipulators, ASME J.
//          Dyn. Sys. Meas. Control 102 (1980) 69-76, as retold by Hollerbach (1980) and Dhanaraj
//          (1990, Tables 2.3 and 2.4). Numbers (1)-(9) are ours.
// Order    O(n). The sweeps (1)-(3) and (7)-(9) are serial; (4)-(6) no link waits for another.
// Symbols  code    paper   meaning, in the coordinates of link i
//          R p     A p*    rotation, link i to its parent j; origin of i in j
//          w wd    ω ω̇     angular velocity and acceleration of link i
//          vd      v̇       acceleration of its origin, less gravity
//          U       λ       ω̇× + ω×ω×: U·r is the acceleration that turning gives a point at r
//          m ms K          ∫dm, ∫r dm, ∫r rᵀdm about the link's origin
//          f n     f n     force and moment (about the link's origin) that j exerts on i
// Differs  inertias stand at the link's origin, not at its centre of mass: F and N need no centre,
//          and bodies merge by addition. With J = tr(K) − K, (6) is Jω̇ + ω×Jω + ms×v̇, because
//          Σ r × U r dm = U·K's antisymmetric part. Trees, spherical and floating joints, a base
//          that moves; a child that follows its parent in the list finds it still in registers.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T, template <class> class Rotation = Mat3>
class NewtonEulerLink {
 public:
  static constexpr const char* id = "newton_euler_link";
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = true, .free_joints = true, .turning_base = true, .wrenches = true};

  explicit NewtonEulerLink(const Mechanism<T>& m) : x_(m.n) {}

  // tau[i] of joint i; the torque of a joint with several freedoms is in f(i) and n(i).
  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    Vec3<T> w = at.base.w, wd = at.base.wd, vd = -at.gravity;
    set(0, w, wd, vd);
    for (int i = 1; i <= m.n; ++i) {  // base to tips
      if (const int j = m.parent(i); j != i - 1) [[unlikely]]
        w = this->w(j), wd = this->wd(j), vd = this->vd(j);
      const Rotation<T> R = at.template R<Rotation<T>>(i);
      vd = transposed_times(R, vd + turning(w, wd) * at.p(i));
      wd = transposed_times(R, wd);
      w = transposed_times(R, w);
      move(m, at, i, w, wd, vd);  // (1)-(3)
      set(i, w, wd, vd);
    }
    for (int i = 1; i <= m.n; i += packed) force(m, i);  // (4)-(6), in any order
    if (at.external)
      for (int i = 1; i <= m.n; ++i) {
        x_[i].set(9, f(i) - at.external[i].f);
        x_[i].set(12, n(i) - at.external[i].n);
      }
    Vec3<T> f, n;
    for (int i = m.n; i >= 1; --i) {  // tips to base
      f = this->f(i) + f;
      n = this->n(i) + n;
      x_[i].set(9, f);
      x_[i].set(12, n);
      tau[i] = m.kind(i) == JointKind::prismatic ? f.z : n.z;  // (7)
      const Rotation<T> R = at.template R<Rotation<T>>(i);
      f = R * f;                      // (8)
      n = R * n + cross(at.p(i), f);  // (9)
      if (const int j = m.parent(i); j != i - 1) [[unlikely]] {
        x_[j].set(9, this->f(j) + f);
        x_[j].set(12, this->n(j) + n);
        f = n = Vec3<T>();
      }
    }
  }

  Vec3<T> w(int i) const { return x_[i].vec(0); }
  Vec3<T> wd(int i) const { return x_[i].vec(3); }
  Vec3<T> vd(int i) const { return x_[i].vec(6); }
  Vec3<T> f(int i) const { return x_[i].vec(9); }
  Vec3<T> n(int i) const { return x_[i].vec(12); }
  auto f_packed(int i) const { return x_.packed(i).vec(9); }
  auto n_packed(int i) const { return x_.packed(i).vec(12); }

 private:
  static constexpr int packed = PerLink<T, 15>::links;

  // The contribution of joint i to its parent's motion, in link i.
  static void move(const Mechanism<T>& m, const State<T>& at, int i, Vec3<T>& w, Vec3<T>& wd,
                   Vec3<T>& vd) {
    const JointKind kind = m.kind(i);
    const T qd = at.qd(i), qdd = at.qdd(i), two(2.0);
    if (kind == JointKind::revolute) [[likely]] {
      wd = {wd.x + w.y * qd, wd.y - w.x * qd, wd.z + qdd};  // (1) ω̇ + ω × z q̇ + z q̈
      w.z = w.z + qd;                                       // (2) ω + z q̇
    } else if (kind == JointKind::prismatic) {
      // (3) v̇ + 2ω × z q̇ + z q̈
      vd = {vd.x + two * (w.y * qd), vd.y - two * (w.x * qd), vd.z + qdd};
    } else {
      const FreeMotion<T>& u = at.free[m.topology->free_index[i]];  // the same for six freedoms
      vd = vd + two * cross(w, u.v) + cross(u.w, u.v) + u.vd;
      wd = wd + cross(w, u.w) + u.wd;
      w = w + u.w;
    }
  }

  // Force and moment that move link i, and its packed neighbours.
  void force(const Mechanism<T>& m, int i) {
    const auto x = x_.packed(i);
    const auto body = m.body.packed(i);
    const auto vd = x.vec(6), ms = body.vec(1);
    const auto U = turning(x.vec(0), x.vec(3));                // (4)
    x.set(9, body[0] * vd + U * ms);                           // (5) Newton
    x.set(12, antisymmetric(U, body.sym(4)) + cross(ms, vd));  // (6) Euler
  }

  void set(int i, const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& vd) {
    x_[i].set(0, w);
    x_[i].set(3, wd);
    x_[i].set(6, vd);
  }
  PerLink<T, 15> x_;  // w, wd, vd, f, n
};

}  // namespace parid::formulation
