// Newton-Euler inverse dynamics by combining neighbouring stretches of the chain: logarithmic
// depth.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102,
//          Table 5, corrected: p̈ has 2(S + Q), where the scan has 2S + Q; its first cross product
//          is of ω̇, not ω. n is distributed, W n' + (W Aᵀ R) × (W f'), or Eq. (2) would not hold.
// Order    O(n log n) operations, O(log n) deep, by divided_scan; O(n) and O(n) by serial_scan. The
//          code is the same: what differs is the plan of the scan.
// Symbols  code   paper    meaning of a stretch a..b, in the coordinates of link b
//          W      W_ab     rotation, link b to link a−1
//          w wd   ω ω̇      angular velocity and acceleration of b as seen from a−1
//          R      R        origin of b from the origin of a−1
//          Q S    Q S      velocity of that origin as seen from a−1: by sliding, by turning
//          pdd    p̈        its acceleration as seen from a−1
//                          and on the way back, in the coordinates of link a
//          M      W_{a+1,b+1}   rotation, link b+1 to link a
//          P      W A R    origin of b from the origin of a−1
//          f n    f n      force and moment (at the origin of a−1) that move the links a..b
// Differs  link i has Craig's axes, but its origin where Lathrop has it, at its far end: where
//          joint i+1 is when it has not slid. So axes stay z in their own link, A is the
//          mechanism's R, and p* and the centre of mass are constant but for a slide. The base is
//          element 0.

#pragma once

#include <vector>

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "math/scan.hpp"
#include "model/state.hpp"

namespace parid::formulation {

// ---- Table 5, from the base out

template <class T>
struct LathropMotion {
  Mat3<T> W;
  Vec3<T> w, wd, Q, R, S, pdd;
};

// a = b: joint a alone turns by z q̇ or slides by it.
template <class T>
LathropMotion<T> lathrop_leaf(const Mat3<T>& A, const Vec3<T>& p, JointKind kind,
                              const Vec3<T>& z_qd, const Vec3<T>& z_qdd) {
  if (kind == JointKind::prismatic) return {A, {}, {}, z_qd, p, {}, z_qdd};
  const Vec3<T> S = cross(z_qd, p);
  return {A, z_qd, z_qdd, {}, p, S, cross(z_qdd, p) + cross(z_qd, S)};
}

// a ≠ b: x over a..k and y over k+1..b.
template <class T>
LathropMotion<T> lathrop_combined(const LathropMotion<T>& x, const LathropMotion<T>& y) {
  const Vec3<T> w = transposed_times(y.W, x.w), wd = transposed_times(y.W, x.wd),
                w_R = cross(w, y.R);
  return {x.W * y.W,
          w + y.w,
          wd + (cross(w, y.w) + y.wd),
          transposed_times(y.W, x.Q) + y.Q,
          transposed_times(y.W, x.R) + y.R,
          transposed_times(y.W, x.S) + (w_R + y.S),
          transposed_times(y.W, x.pdd) +
              ((y.pdd + cross(w, w_R + T(2.0) * (y.S + y.Q))) + cross(wd, y.R))};
}

// ---- Table 5, from the tip in

template <class T>
struct LathropForce {
  Mat3<T> M;
  Vec3<T> P, f, n;
};

template <class T>
LathropForce<T> lathrop_combined(const LathropForce<T>& x, const LathropForce<T>& y) {
  const Vec3<T> f = x.M * y.f;
  return {x.M * y.M, x.P + x.M * y.P, x.f + f, (x.n + cross(x.P, f)) + x.M * y.n};
}

// ---- local quantities: Newton and Euler at the centre of mass

template <class T>
struct LathropBody {
  T mass;
  Vec3<T> r;  // r*: centre of mass from the far origin
  Sym3<T> J;  // about it
};

template <class T>
void lathrop_newton_euler(const LathropBody<T>& b, const Vec3<T>& w, const Vec3<T>& wd,
                          const Vec3<T>& pdd, Vec3<T>& F, Vec3<T>& N) {
  const Vec3<T> rdd = pdd + (cross(w, cross(w, b.r)) + cross(wd, b.r));
  F = b.mass * rdd;
  N = b.J * wd + cross(w, b.J * w);
}
template <class T>
void lathrop_newton_euler(const LathropBody<T>& b, const LathropMotion<T>& x, Vec3<T>& F,
                          Vec3<T>& N) {
  lathrop_newton_euler(b, x.w, x.wd, x.pdd, F, N);
}

// ---- a chain with origins at the links' far ends

inline constexpr Scope lathrop_scope{
    .trees = false, .free_joints = false, .turning_base = true, .wrenches = true};

// The base as the element before link 1: its acceleration is its origin's, and the chain begins at
// the first joint.
template <class T>
LathropMotion<T> lathrop_base(const Mechanism<T>& m, const State<T>& at) {
  const Vec3<T>&w = at.base.w, &wd = at.base.wd;
  Vec3<T> pdd = -at.gravity;
  if (m.n > 0) {
    const Vec3<T> p = m.placing[1].vec(9);
    pdd = pdd + (cross(wd, p) + cross(w, cross(w, p)));
  }
  return {Mat3<T>::identity(), w, wd, {}, {}, {}, pdd};
}

// Points of link i from the far origin of the link before, in link i: a slide lies between them.
template <class T>
class LathropChain {
 public:
  explicit LathropChain(const Mechanism<T>& m) : far_(m.n + 1), body_(m.n + 1) {
    for (int i = 1; i <= m.n; ++i) {
      if (i < m.n) far_[i] = m.placing[i + 1].vec(9);
      body_[i] = {m.body[i][0], m.centre[i].vec(0) - far_[i], m.centre[i].sym(3)};
    }
  }
  const LathropBody<T>& body(int i) const { return body_[i]; }
  Vec3<T> far(const Mechanism<T>& m, const State<T>& at, int i) const {  // p*
    return shifted(m, at, i, far_[i]);
  }
  Vec3<T> centre(const Mechanism<T>& m, const State<T>& at, int i) const {  // s*
    return shifted(m, at, i, m.centre[i].vec(0));
  }
  // What acts on link i at the mechanism's origin of it, as a force and a moment at the far origin
  // of the link before.
  Wrench<T> external(const Mechanism<T>& m, const State<T>& at, int i) const {
    const auto& [push, turn] = at.external[i];
    return {push, turn + cross(shifted(m, at, i, Vec3<T>()), push)};
  }

 private:
  static Vec3<T> shifted(const Mechanism<T>& m, const State<T>& at, int i, const Vec3<T>& r) {
    if (m.kind(i) == JointKind::revolute) return r;
    return r + transposed_times(at.R(i), at.p(i) - m.placing[i].vec(9));
  }
  std::vector<Vec3<T>> far_;  // p*, less the slide
  std::vector<LathropBody<T>> body_;
};

// ---- the case a = b as Table 5 has it

struct LathropLeaves {
  static constexpr const char* id = "lathrop";

  template <class T>
  static LathropMotion<T> motion(const Mat3<T>& A, const Vec3<T>& p, JointKind kind, const T& qd,
                                 const T& qdd) {
    const T o(0.0);
    return lathrop_leaf<T>(A, p, kind, {o, o, qd}, {o, o, qdd});
  }
  template <class T>
  static LathropForce<T> force(const Mat3<T>& M, const Vec3<T>& p, const Vec3<T>& s,
                               const Vec3<T>& F, const Vec3<T>& N) {
    return {M, p, F, N + cross(s, F)};
  }
};

template <Scalar T, ScanPlan (*Plan)(int) = divided_scan, class Leaves = LathropLeaves>
class Lathrop {
 public:
  static constexpr const char* id = Leaves::id;
  static constexpr bool exact = true;
  static constexpr Scope scope = lathrop_scope;

  explicit Lathrop(const Mechanism<T>& m)
      : outward_(Plan(m.n + 1)), inward_(Plan(m.n)), chain_(m), x_(m.n + 1), y_(m.n) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    x_[0] = lathrop_base(m, at);
    for (int i = 1; i <= m.n; ++i)
      x_[i] = Leaves::motion(at.R(i), chain_.far(m, at, i), m.kind(i), at.qd(i), at.qdd(i));
    scan(outward_, x_.data(), [](const auto& x, const auto& y) { return lathrop_combined(x, y); });
    for (int i = 1; i <= m.n; ++i) {
      Vec3<T> F, N;
      lathrop_newton_euler(chain_.body(i), x_[i], F, N);
      LathropForce<T>& y = y_[i - 1];
      y = Leaves::force(i < m.n ? at.R(i + 1) : Mat3<T>::identity(), chain_.far(m, at, i),
                        chain_.centre(m, at, i), F, N);
      if (at.external) {
        const Wrench<T> w = chain_.external(m, at, i);
        y.f = y.f - w.f;
        y.n = y.n - w.n;
      }
    }
    scan_from_end(inward_, y_.data(),
                  [](const auto& x, const auto& y) { return lathrop_combined(x, y); });
    for (int i = 1; i <= m.n; ++i)
      tau[i] = m.kind(i) == JointKind::prismatic ? y_[i - 1].f.z : y_[i - 1].n.z;
  }

  const LathropMotion<T>& motion(int i) const { return x_[i]; }    // of 0..i
  const LathropForce<T>& force(int i) const { return y_[i - 1]; }  // of i..n

 private:
  ScanPlan outward_, inward_;
  LathropChain<T> chain_;
  std::vector<LathropMotion<T>> x_;  // [0] is the base
  std::vector<LathropForce<T>> y_;
};

}  // namespace parid::formulation
