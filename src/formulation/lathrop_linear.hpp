// Newton-Euler inverse dynamics link by link, every vector operation as early as its operands are
// there: Lathrop's linear parallel form.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102,
//          Table 4 and its order of operations. T4 is ω_{i−1} × T1, where the scan has ω_i.
// Order    O(n) operations, O(n) deep: MV + VA, four operations, for each link outward and again
//          inward.
// Symbols  code     paper     meaning, in the coordinates of link i
//          A        A_i       rotation, link i to link i−1
//          w wd     ω ω̇       angular velocity and acceleration
//          pdd      p̈         acceleration of the far origin, less gravity
//          p s r    p* s* r*  far origin and centre of mass from the far origin of i−1; s* − p*
//          F N      F N       force and moment that move the link, at its centre of mass
//          f n      f n       what link i−1 exerts, at the far origin of that link
//          z_qd     z q̇       in the coordinates of link i−1
// Differs  axes are Craig's, so z of joint i is the third column of A. The table is for revolute
//          joints; lathrop_sliding is the same for a prismatic one: ω and ω̇ pass, and p̈ has
//          Aᵀ z q̈ + 2 ω × Aᵀ z q̇ more.

#pragma once

#include <vector>

#include "formulation/lathrop.hpp"
#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <class T>
struct LathropNode {
  Vec3<T> w, wd, pdd, F, N;
};

// Table 4, backward: one node.
template <class T>
LathropNode<T> lathrop_backward(const LathropNode<T>& before, const Mat3<T>& A, const Vec3<T>& p,
                                const Vec3<T>& z_qd, const Vec3<T>& z_qdd,
                                const LathropBody<T>& body) {
  LathropNode<T> x;
  x.w = transposed_times(A, before.w + z_qd);
  x.wd = transposed_times(A, before.wd + (cross(before.w, z_qd) + z_qdd));
  x.pdd = transposed_times(A, before.pdd) + (cross(x.w, cross(x.w, p)) + cross(x.wd, p));
  lathrop_newton_euler(body, x.w, x.wd, x.pdd, x.F, x.N);
  return x;
}
template <class T>
LathropNode<T> lathrop_sliding(const LathropNode<T>& before, const Mat3<T>& A, const Vec3<T>& p,
                               const Vec3<T>& z_qd, const Vec3<T>& z_qdd,
                               const LathropBody<T>& body) {
  LathropNode<T> x;
  x.w = transposed_times(A, before.w);
  x.wd = transposed_times(A, before.wd);
  const Vec3<T> faster = cross(x.w, p) + T(2.0) * transposed_times(A, z_qd);
  x.pdd = transposed_times(A, before.pdd + z_qdd) + (cross(x.w, faster) + cross(x.wd, p));
  lathrop_newton_euler(body, x.w, x.wd, x.pdd, x.F, x.N);
  return x;
}

// Table 4, forward: one node. A_next is link i + 1's.
template <class T>
Wrench<T> lathrop_forward(const Wrench<T>& next, const LathropNode<T>& x, const Mat3<T>& A_next,
                          const Vec3<T>& p, const Vec3<T>& s) {
  const Vec3<T> turned = A_next * next.f;
  return {x.F + turned, A_next * next.n + ((x.N + cross(s, x.F)) + cross(p, turned))};
}

template <Scalar T>
class LathropLinear {
 public:
  static constexpr const char* id = "lathrop_linear";
  static constexpr bool exact = true;
  static constexpr Scope scope = lathrop_scope;

  explicit LathropLinear(const Mechanism<T>& m) : chain_(m), x_(m.n + 1) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    const LathropMotion<T> base = lathrop_base(m, at);
    x_[0] = {base.w, base.wd, base.pdd, {}, {}};
    for (int i = 1; i <= m.n; ++i) {
      const Mat3<T> A = at.R(i);
      const Vec3<T> z = A.column(2), p = chain_.far(m, at, i), z_qd = at.qd(i) * z,
                    z_qdd = at.qdd(i) * z;
      x_[i] = m.kind(i) == JointKind::prismatic
                  ? lathrop_sliding(x_[i - 1], A, p, z_qd, z_qdd, chain_.body(i))
                  : lathrop_backward(x_[i - 1], A, p, z_qd, z_qdd, chain_.body(i));
    }
    Wrench<T> y;
    for (int i = m.n; i >= 1; --i) {
      const LathropNode<T>& x = x_[i];
      const Vec3<T> s = chain_.centre(m, at, i);
      y = i == m.n ? Wrench<T>{x.F, x.N + cross(s, x.F)}
                   : lathrop_forward(y, x, at.R(i + 1), chain_.far(m, at, i), s);
      if (at.external) {
        const Wrench<T> w = chain_.external(m, at, i);
        y = {y.f - w.f, y.n - w.n};
      }
      tau[i] = m.kind(i) == JointKind::prismatic ? y.f.z : y.n.z;
    }
  }

 private:
  LathropChain<T> chain_;
  std::vector<LathropNode<T>> x_;  // [0] is the base
};

}  // namespace parid::formulation
