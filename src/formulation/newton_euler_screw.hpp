// Newton-Euler in link coordinates with the fewest operations: customised programs are traced from
// it.
//
// Source   Newton-Euler as in newton_euler_link.hpp, with the savings of Khalil and Kleinfinger
//          (1987) and others' customised programs: a placement is two plane turns and two shifts,
//          not a matrix and a vector.
// Order    O(n), serial. What is left once inertias are regrouped (model/regroup.hpp), zeros folded
//          and sums factored: docs/generated-programs.md.
// Symbols  as in newton_euler_link.hpp, and
//          E s c    constant turn to the joint's axis, then one about z by q
//          r d      p = r + d·(E z): the shift of the origin in the parent, and along the axis
// Differs  a point on joint i's axis has the same acceleration in both links. So v̇ is carried along
//          r in the parent, turned, and along d in the link, with the matrix U that each link needs
//          anyway:
//            v̇_i = Rᵀ(v̇ + U r) + U_i z d          n = R(n + z d × f) + r × R f
//          That is 10 multiplications instead of 15. Axes that follow each other in parallel can be
//          turned at once, by the sum of their angles (`joined`): ω and ω̇ then come from the link
//          before the first, where they may have fewer components.

#pragma once

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "model/state.hpp"

namespace parid::formulation {

template <Scalar T>
class NewtonEulerScrew {
 public:
  static constexpr const char* id = "newton_euler_screw";
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = true, .free_joints = true, .turning_base = true, .wrenches = true};

  explicit NewtonEulerScrew(const Mechanism<T>& m)
      : x_(m.n), turn_(m.n + 1), joined(m.n + 1, false) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    Vec3<T> w = at.base.w, wd = at.base.wd, vd = -at.gravity;
    set(0, w, wd, vd, turning(w, wd));
    for (int i = 1; i <= m.n; ++i) {
      const int j = m.parent(i);
      prepare(m, at, i);
      const Screw& x = turn_[i];
      vd = back(x, this->vd(j) + U(j) * x.r);
      w = back(x, this->w(j));
      wd = back(x, this->wd(j));
      T qd = at.qd(i), qdd = at.qdd(i);
      if (m.kind(i) == JointKind::revolute) {
        if (joined[i]) turn_together(m, at, i, w, wd, qd, qdd);
        w = {w.x, w.y, w.z + qd};
        wd = {wd.x + w.y * qd, wd.y - w.x * qd, wd.z + qdd};
      } else if (m.kind(i) != JointKind::prismatic) {
        const FreeMotion<T>& u = at.free[m.topology->free_index[i]];
        vd = vd + T(2.0) * cross(w, u.v) + cross(u.w, u.v) + u.vd;
        wd = wd + cross(w, u.w) + u.wd;
        w = w + u.w;
      }
      const Mat3<T> Ui = turning(w, wd);
      vd = vd + x.d * Ui.column(2);
      if (m.kind(i) == JointKind::prismatic) {
        const T twice = T(2.0) * qd;
        vd = {vd.x + w.y * twice, vd.y - w.x * twice, vd.z + qdd};
      }
      set(i, w, wd, vd, Ui);
      const auto body = m.body[i];
      const Vec3<T> ms = body.vec(1);
      Vec3<T> f = body[0] * vd + Ui * ms, n = antisymmetric(Ui, body.sym(4)) + cross(ms, vd);
      if (at.external) {
        f = f - at.external[i].f;
        n = n - at.external[i].n;
      }
      x_[i].set(9, f);
      x_[i].set(12, n);
    }
    for (int i = m.n; i >= 1; --i) {
      const Screw& x = turn_[i];
      const Vec3<T> f = this->f(i), n = this->n(i);
      tau[i] = m.kind(i) == JointKind::prismatic ? f.z : n.z;
      if (const int j = m.parent(i); j > 0) {
        const Vec3<T> Rf = forth(x, f);
        const Vec3<T> shifted{n.x - x.d * f.y, n.y + x.d * f.x, n.z};
        x_[j].set(9, this->f(j) + Rf);
        x_[j].set(12, this->n(j) + (forth(x, shifted) + cross(x.r, Rf)));
      }
    }
  }

  Vec3<T> w(int i) const { return x_[i].vec(0); }
  Vec3<T> wd(int i) const { return x_[i].vec(3); }
  Vec3<T> vd(int i) const { return x_[i].vec(6); }
  Vec3<T> f(int i) const { return x_[i].vec(9); }
  Vec3<T> n(int i) const { return x_[i].vec(12); }

 private:
  struct Screw {
    Mat3<T> E;
    T s{0.0}, c{1.0};
    Vec3<T> r;
    T d{0.0};
  };

  Mat3<T> U(int i) const { return x_[i].mat(15); }
  void set(int i, const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& vd, const Mat3<T>& U) {
    x_[i].set(0, w);
    x_[i].set(3, wd);
    x_[i].set(6, vd);
    x_[i].set(15, U);
  }

  void prepare(const Mechanism<T>& m, const State<T>& at, int i) {
    Screw& x = turn_[i];
    const JointKind kind = m.kind(i);
    if (kind == JointKind::spherical || kind == JointKind::floating) {
      x = {at.R(i), T(0.0), T(1.0), at.p(i), T(0.0)};
      return;
    }
    const Mat3<T> E = m.placing[i].mat(0);
    const Vec3<T> p = m.placing[i].vec(9), z = E.column(2);
    const T d = dot(p, z);  // of constants: evaluated when traced
    x = {E, T(0.0), T(1.0), p - d * z, d};
    if (kind == JointKind::prismatic) x.d = d + at.q(i);
    if (kind == JointKind::revolute) {
      const auto [s, c] = sin_cos(at.q(i));
      x.s = s;
      x.c = c;
    }
  }
  static Vec3<T> turned_back(const T& s, const T& c, const Vec3<T>& v) {  // Rz(q)ᵀ v
    return {c * v.x + s * v.y, c * v.y - s * v.x, v.z};
  }
  static Vec3<T> back(const Screw& x, const Vec3<T>& v) {  // into the link
    return turned_back(x.s, x.c, transposed_times(x.E, v));
  }
  static Vec3<T> forth(const Screw& x, const Vec3<T>& v) {  // into the parent
    return x.E * Vec3<T>{x.c * v.x - x.s * v.y, x.s * v.x + x.c * v.y, v.z};
  }

  // ω and ω̇ of link i at the end of a run of parallel axes: from the link before the run, rotated
  // by the sum of angles.
  void turn_together(const Mechanism<T>& m, const State<T>& at, int i, Vec3<T>& w, Vec3<T>& wd,
                     T& qd, T& qdd) const {
    int k = i;
    T q = at.q(i);
    Mat3<T> E = turn_[i].E;
    do {
      k = m.parent(k);
      q = at.q(k) + q;
      qd = at.qd(k) + qd;
      qdd = at.qdd(k) + qdd;
      E = turn_[k].E * E;
    } while (joined[k]);
    const auto [s, c] = sin_cos(q);
    const int before = m.parent(k);
    w = turned_back(s, c, transposed_times(E, this->w(before)));
    wd = turned_back(s, c, transposed_times(E, this->wd(before)));
  }

  PerLink<T, 24> x_;  // w, wd, vd, f, n, U
  std::vector<Screw> turn_;

 public:
  std::vector<bool>
      joined;  // [0..n]: turn link i's velocities with its parent's, where axes are parallel
};

}  // namespace parid::formulation
