// Newton-Euler without Coriolis and centrifugal terms: what was done when they cost too much.
//
// Source   Paul: Modelling, trajectory calculation and servoing of a computer controlled arm,
//          Stanford AIM-177 (1972); Bejczy: Robot arm dynamics and control, JPL 33-669 (1974); both
//          as retold by Hollerbach (1980), who argues against it. Numbers (1)-(6) are ours.
// Order    O(n). Newton-Euler in link coordinates with every ω and q̇ left out, not set to zero:
//          what is saved is saved in the counts too.
// Symbols  as in newton_euler_link.hpp; c is a link's centre of mass
// Differs  they kept J q̈ + G of the Lagrangian form; the same torque comes from one sweep up and
//          down.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T>
class WithoutVelocityTerms {
 public:
  static constexpr const char* id = "without_velocity_terms";
  static constexpr bool exact = false;
  static constexpr Scope scope{.trees = true, .free_joints = true, .wrenches = true};

  explicit WithoutVelocityTerms(const Mechanism<T>& m)
      : wd_(m.n + 1), vd_(m.n + 1), f_(m.n + 1), n_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    wd_[0] = at.base.wd;
    vd_[0] = -at.gravity;
    for (int i = 1; i <= m.n; ++i) {
      const int j = m.parent(i);
      const Mat3<T> R = at.R(i);
      Vec3<T> wd = transposed_times(R, wd_[j]);
      Vec3<T> vd = transposed_times(R, vd_[j] + cross(wd_[j], at.p(i)));
      if (m.kind(i) == JointKind::revolute)
        wd.z = wd.z + at.qdd(i);  // (1) ω̇ + z q̈
      else if (m.kind(i) == JointKind::prismatic)
        vd.z = vd.z + at.qdd(i);  // (2) v̇ + z q̈
      else
        add(at.free[m.topology->free_index[i]], wd, vd);
      wd_[i] = wd;
      vd_[i] = vd;
      const Vec3<T> c = m.centre[i].vec(0);
      f_[i] = m.body[i][0] * (vd + cross(wd, c));         // (3) Newton
      n_[i] = m.centre[i].sym(3) * wd + cross(c, f_[i]);  // (4) Euler
      if (at.external) {
        f_[i] = f_[i] - at.external[i].f;
        n_[i] = n_[i] - at.external[i].n;
      }
    }
    for (int i = m.n; i >= 1; --i) {
      tau[i] = m.kind(i) == JointKind::prismatic ? f_[i].z : n_[i].z;  // (5)
      if (const int j = m.parent(i); j > 0) {                          // (6)
        const Mat3<T> R = at.R(i);
        const Vec3<T> f = R * f_[i];
        f_[j] = f_[j] + f;
        n_[j] = n_[j] + (R * n_[i] + cross(at.p(i), f));
      }
    }
  }

  Vec3<T> f(int i) const { return f_[i]; }
  Vec3<T> n(int i) const { return n_[i]; }

 private:
  static void add(const FreeMotion<T>& u, Vec3<T>& wd, Vec3<T>& vd) {
    wd = wd + u.wd;
    vd = vd + u.vd;
  }

  std::vector<Vec3<T>> wd_, vd_, f_, n_;
};

}  // namespace parid::formulation
