// Forward dynamics by articulated bodies: no matrix of the whole robot.
//
// Source   Featherstone: The calculation of robot dynamics using articulated-body inertias, Int. J.
//          Robotics Research 2(1) (1983) 13-30.
// Order    O(n). Three sweeps: velocities outwards, inertias inwards, accelerations outwards.
// Symbols  code     meaning, in the coordinates of link i, about its origin
//          M C J    articulated inertia: f = M v̇ + C ω̇ + f0, n = Cᵀ v̇ + J ω̇ + n0
//          cv cw    what velocities alone add to the link's linear and angular acceleration
// Differs  accelerations are those of the links' origins, less gravity, as in
//          newton_euler_link.hpp, not spatial ones. Joints that follow others tie branches
//          together: not covered.

#pragma once

#include "dynamics/composite.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

template <class T>
struct Articulated {
  Sym3<T> M;
  Mat3<T> C;
  Sym3<T> J;
  Wrench<T> bias;
};

namespace detail {

template <class T>
Sym3<T> minus_outer(const Sym3<T>& S, const Vec3<T>& a, const Vec3<T>& b) {  // S − a bᵀ, symmetric
  return {S.xx - a.x * b.x, S.yy - a.y * b.y, S.zz - a.z * b.z,
          S.xy - a.x * b.y, S.xz - a.x * b.z, S.yz - a.y * b.z};
}
template <class T>
Mat3<T> full_of(const Sym3<T>& S) {
  return {{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}};
}
// A p×: each row r becomes r × p … (A [p]×) v = A (p × v), and r·(p × v) = (r × p)·v.
template <class T>
Mat3<T> times_cross(const Mat3<T>& A, const Vec3<T>& p) {
  return {cross(A.r0, p), cross(A.r1, p), cross(A.r2, p)};
}

// The inverse of a positive definite matrix of three rows.
template <class T>
Sym3<T> inverse(const Sym3<T>& A) {
  const T xx = A.yy * A.zz - A.yz * A.yz, xy = A.xz * A.yz - A.xy * A.zz,
          xz = A.xy * A.yz - A.xz * A.yy;
  const T d = T(1.0) / (A.xx * xx + A.xy * xy + A.xz * xz);
  return {d * xx, d * (A.xx * A.zz - A.xz * A.xz), d * (A.xx * A.yy - A.xy * A.xy), d * xy,
          d * xz, d * (A.xy * A.xz - A.xx * A.yz)};
}

}  // namespace detail

template <Scalar T>
class ArticulatedBody {
 public:
  static constexpr const char* id = "articulated_bodies";
  static bool covers(const CanonicalModel& c) { return !c.has_mimic; }

  explicit ArticulatedBody(const CanonicalModel& c)
      : at(c),
        link_(c.topology.n + 1),
        w_(c.topology.n + 1),
        cv_(c.topology.n + 1),
        cw_(c.topology.n + 1),
        vd_(c.topology.n + 1),
        wd_(c.topology.n + 1),
        Uf_(c.topology.n + 1),
        Un_(c.topology.n + 1),
        D_(c.topology.n + 1),
        u_(c.topology.n + 1) {}

  void acceleration(const T* q, const T* v, const T* tau, T* a) {
    at.load(q, v);
    evaluate([tau](int k) { return tau[k]; }, [a](int k, const T& x) { a[k] = x; });
  }

  template <class Tau, class Put>
  void evaluate(const Tau& tau, const Put& put) {
    const Mechanism<T>& m = at.mechanism;
    w_[0] = at.motion.base.w;
    wd_[0] = at.motion.base.wd;
    vd_[0] = -at.motion.gravity;
    for (int i = 1; i <= m.n; ++i) start(i);
    for (int i = m.n; i >= 1; --i) {
      const Articulated<T> beyond = without_freedoms(i, tau);
      if (const int j = m.parent(i); j > 0) add_to(j, i, beyond);
    }
    for (int i = 1; i <= m.n; ++i) accelerate(i, tau, put);
  }

  // M⁻¹, (nv, nv), row-major and full, without M: the articulated inertias once, then the
  // accelerations for a unit torque of each freedom. Gravity, base motion and wrenches have no
  // part. Order O(n²).
  void inverse_mass(const T* q, T* Minv) {
    const Mechanism<T>& m = at.mechanism;
    const int n = at.c.nv;
    auto none = [](int) { return T(0.0); };
    at.load(q);
    w_[0] = {};
    wd_[0] = {};
    vd_[0] = {};
    for (int i = 1; i <= m.n; ++i) start(i);
    for (int i = m.n; i >= 1; --i) {
      const Articulated<T> beyond = without_freedoms(i, none);
      if (const int j = m.parent(i); j > 0) add_to(j, i, beyond);
    }
    for (int k = 0; k < n; ++k) {
      auto unit = [k](int l) { return T(l == k ? 1.0 : 0.0); };
      for (int i = 1; i <= m.n; ++i) link_[i].bias = {};
      for (int i = m.n; i >= 1; --i) {
        const Wrench<T> beyond = bias_beyond(i, unit);
        if (const int j = m.parent(i); j > 0)
          link_[j].bias = link_[j].bias + on_parent(at.motion.R(i), at.motion.p(i), beyond);
      }
      for (int i = 1; i <= m.n; ++i)
        accelerate(i, unit, [=](int l, const T& x) { Minv[l * n + k] = x; });
    }
  }

  ModelState<T> at;

 private:
  // The bias wrench that link i passes to its parent, at rest, after without_freedoms().
  template <class Tau>
  Wrench<T> bias_beyond(int i, const Tau& tau) {
    const Articulated<T>& x = link_[i];
    const int k = at.c.freedom[at.c.first[i]].column;
    switch (at.mechanism.kind(i)) {
      case JointKind::floating:
        return {{tau(k), tau(k + 1), tau(k + 2)}, {tau(k + 3), tau(k + 4), tau(k + 5)}};
      case JointKind::spherical: {
        const Sym3<T> Ji = detail::inverse(x.J);
        const Vec3<T> u = Vec3<T>{tau(k), tau(k + 1), tau(k + 2)} - x.bias.n;
        const Mat3<T> CJi{Ji * x.C.r0, Ji * x.C.r1, Ji * x.C.r2};
        return {x.bias.f + CJi * u, x.bias.n + u};
      }
      default: {
        const bool turns = at.mechanism.kind(i) == JointKind::revolute;
        u_[i] = tau(k) - (turns ? x.bias.n.z : x.bias.f.z);
        const T u = D_[i] * u_[i];
        return {x.bias.f + u * Uf_[i], x.bias.n + u * Un_[i]};
      }
    }
  }

  // Velocities, their contribution to accelerations, and the link's own inertia.
  void start(int i) {
    const Mechanism<T>& m = at.mechanism;
    const Mat3<T> R = at.motion.R(i);
    const Vec3<T> above = w_[m.parent(i)];
    Vec3<T> w = transposed_times(R, above);
    const T qd = at.motion.qd(i), two(2.0), o(0.0);
    cv_[i] = transposed_times(R, cross(above, cross(above, at.motion.p(i))));
    cw_[i] = Vec3<T>();
    if (m.kind(i) == JointKind::revolute) {
      cw_[i] = {w.y * qd, -(w.x * qd), o};
      w.z = w.z + qd;
    } else if (m.kind(i) == JointKind::prismatic) {
      cv_[i] = cv_[i] + two * Vec3<T>{w.y * qd, -(w.x * qd), o};
    } else {
      const FreeMotion<T>& u = at.motion.free[m.topology->free_index[i]];
      cv_[i] = cv_[i] + two * cross(w, u.v) + cross(u.w, u.v);
      cw_[i] = cross(w, u.w);
      w = w + u.w;
    }
    w_[i] = w;
    const auto body = m.body[i];
    const Vec3<T> ms = body.vec(1);
    const Sym3<T> K = body.sym(4);
    const Mat3<T> U = turning(w, Vec3<T>());
    Articulated<T>& x = link_[i];
    x.M = {body[0], body[0], body[0], o, o, o};
    x.C = {{o, ms.z, -ms.y}, {-ms.z, o, ms.x}, {ms.y, -ms.x, o}};
    x.J = {K.yy + K.zz, K.xx + K.zz, K.xx + K.yy, -K.xy, -K.xz, -K.yz};
    x.bias = {U * ms, antisymmetric(U, K)};
    if (at.motion.external)
      x.bias = {x.bias.f - at.motion.external[i].f, x.bias.n - at.motion.external[i].n};
  }

  // The articulated inertia and bias of link i for its parent: the joint's freedoms
  // eliminated.
  template <class Tau>
  Articulated<T> without_freedoms(int i, const Tau& tau) {
    Articulated<T> x = link_[i];
    const Freedom& freedom = at.c.freedom[at.c.first[i]];
    const JointKind kind = at.mechanism.kind(i);
    if (kind == JointKind::floating) {  // the parent only sees the bias force
      const int k = freedom.column;
      return {{}, {}, {}, {{tau(k), tau(k + 1), tau(k + 2)}, {tau(k + 3), tau(k + 4), tau(k + 5)}}};
    }
    if (kind == JointKind::spherical) {
      const int k = freedom.column;
      const Sym3<T> Ji = detail::inverse(x.J);
      const Vec3<T> u = Vec3<T>{tau(k), tau(k + 1), tau(k + 2)} - x.bias.n;
      const Mat3<T> CJi{Ji * x.C.r0, Ji * x.C.r1, Ji * x.C.r2};  // C J⁻¹
      const Mat3<T> less = CJi * transposed(x.C);
      x.M = {x.M.xx - less.r0.x, x.M.yy - less.r1.y, x.M.zz - less.r2.z,
             x.M.xy - less.r0.y, x.M.xz - less.r0.z, x.M.yz - less.r1.z};
      const Vec3<T> f = x.bias.f + CJi * u + x.M * cv_[i];
      return {x.M, {}, {}, {f, x.bias.n + u}};
    }
    const bool turns = kind == JointKind::revolute;
    const Vec3<T> Uf = turns ? x.C.column(2) : Vec3<T>{x.M.xz, x.M.yz, x.M.zz};
    const Vec3<T> Un = turns ? Vec3<T>{x.J.xz, x.J.yz, x.J.zz} : x.C.r2;
    const T D = T(1.0) / ((turns ? Un.z : Uf.z) + T(freedom.rotor_inertia));
    const T u = tau(freedom.column) - (turns ? x.bias.n.z : x.bias.f.z);
    Uf_[i] = Uf;
    Un_[i] = Un;
    D_[i] = D;
    u_[i] = u;
    const Vec3<T> Df = D * Uf, Dn = D * Un;
    x.M = detail::minus_outer(x.M, Uf, Df);
    x.J = detail::minus_outer(x.J, Un, Dn);
    x.C = x.C - outer(Uf, Dn);
    x.bias.f = x.bias.f + x.M * cv_[i] + x.C * cw_[i] + u * Df;
    x.bias.n = x.bias.n + transposed_times(x.C, cv_[i]) + x.J * cw_[i] + u * Dn;
    return x;
  }

  // f' = R f, n' = R n + p × f' and the parent's accelerations in place of the link's own.
  void add_to(int j, int i, const Articulated<T>& x) {
    const Mat3<T> R = at.motion.R(i);
    const Vec3<T> p = at.motion.p(i);
    const Sym3<T> M = rotated(R, x.M), J = rotated(R, x.J);
    const Mat3<T> RC{transposed_times(x.C, R.r0), transposed_times(x.C, R.r1),
                     transposed_times(x.C, R.r2)};                      // R C
    const Mat3<T> C0{R * RC.r0, R * RC.r1, R * RC.r2};                  // R C Rᵀ
    const Mat3<T> C = C0 - detail::times_cross(detail::full_of(M), p);  // C − M p×
    // J + p× C + (p× C0)ᵀ, column by column
    const Mat3<T> P{cross(p, C.column(0)), cross(p, C.column(1)), cross(p, C.column(2))};
    const Mat3<T> P0{cross(p, C0.column(0)), cross(p, C0.column(1)), cross(p, C0.column(2))};
    const Wrench<T> w = on_parent(R, p, x.bias);
    Articulated<T>& y = link_[j];
    y.M = {y.M.xx + M.xx, y.M.yy + M.yy, y.M.zz + M.zz,
           y.M.xy + M.xy, y.M.xz + M.xz, y.M.yz + M.yz};
    y.C = y.C + C;
    y.J = {y.J.xx + J.xx + P.r0.x + P0.r0.x, y.J.yy + J.yy + P.r1.y + P0.r1.y,
           y.J.zz + J.zz + P.r2.z + P0.r2.z, y.J.xy + J.xy + P.r1.x + P0.r0.y,
           y.J.xz + J.xz + P.r2.x + P0.r0.z, y.J.yz + J.yz + P.r2.y + P0.r1.z};
    y.bias = {y.bias.f + w.f, y.bias.n + w.n};
  }

  template <class Tau, class Put>
  void accelerate(int i, const Tau& tau, const Put& put) {
    const Mechanism<T>& m = at.mechanism;
    const Mat3<T> R = at.motion.R(i);
    const int j = m.parent(i), k = at.c.freedom[at.c.first[i]].column;
    Vec3<T> vd = transposed_times(R, vd_[j] + cross(wd_[j], at.motion.p(i))) + cv_[i];
    Vec3<T> wd = transposed_times(R, wd_[j]) + cw_[i];
    const Articulated<T>& x = link_[i];
    switch (m.kind(i)) {
      case JointKind::revolute:
      case JointKind::prismatic: {
        // u_ takes the bias without cv, cw: U·(v̇, ω̇) takes them with the parent's motion
        const T a = D_[i] * (u_[i] - (dot(Uf_[i], vd) + dot(Un_[i], wd)));
        if (m.kind(i) == JointKind::revolute)
          wd.z = wd.z + a;
        else
          vd.z = vd.z + a;
        put(k, a);
        break;
      }
      case JointKind::spherical: {
        const Vec3<T> u = Vec3<T>{tau(k), tau(k + 1), tau(k + 2)} - x.bias.n;
        const Vec3<T> a = detail::inverse(x.J) * (u - transposed_times(x.C, vd)) - wd;
        wd = wd + a;
        put(k, a.x);
        put(k + 1, a.y);
        put(k + 2, a.z);
        break;
      }
      case JointKind::floating: {  // M v̇ + C ω̇ = f, Cᵀ v̇ + J ω̇ = n, ω̇ taken out first
        const Vec3<T> f = Vec3<T>{tau(k), tau(k + 1), tau(k + 2)} - x.bias.f;
        const Vec3<T> n = Vec3<T>{tau(k + 3), tau(k + 4), tau(k + 5)} - x.bias.n;
        const Sym3<T> Ji = detail::inverse(x.J);
        const Mat3<T> CJi{Ji * x.C.r0, Ji * x.C.r1, Ji * x.C.r2};
        const Mat3<T> less = CJi * transposed(x.C);
        const Sym3<T> S{x.M.xx - less.r0.x, x.M.yy - less.r1.y, x.M.zz - less.r2.z,
                        x.M.xy - less.r0.y, x.M.xz - less.r0.z, x.M.yz - less.r1.z};
        const Vec3<T> linear = detail::inverse(S) * (f - CJi * n);
        const Vec3<T> angular = Ji * (n - transposed_times(x.C, linear));
        const Vec3<T> a = linear - vd, b = angular - wd;
        vd = linear;
        wd = angular;
        put(k, a.x);
        put(k + 1, a.y);
        put(k + 2, a.z);
        put(k + 3, b.x);
        put(k + 4, b.y);
        put(k + 5, b.z);
      }
    }
    vd_[i] = vd;
    wd_[i] = wd;
  }

  std::vector<Articulated<T>> link_;
  std::vector<Vec3<T>> w_, cv_, cw_, vd_, wd_, Uf_, Un_;
  std::vector<T> D_, u_;
};

}  // namespace parid::dynamics
