// Derivatives of inverse dynamics, ∂τ/∂q, ∂τ/∂v, ∂τ/∂a, by recursion; and wᵀ times them
// without the matrices, in O(n).
//
// Source   Singh, Russell, Wensing: Efficient analytical derivatives of rigid-body dynamics using
//          spatial vector algebra, IEEE Robotics and Automation Letters 7 (2022) 1776-1783; the
//          matrices B are held in the twelve numbers of ground.hpp.
// Symbols  S Ṡ       axis of a freedom, and how its own link carries it
//          P P̈       v × S and a × S + v × (v × S) with the motion of the link before
//          I B f     of link i with all beyond it
//
//   for b on link i, a between b and the base:
//     ∂τ_a/∂q_b = S_a·(2B P_b + I P̈_b + S_b × f)      ∂τ_b/∂q_a = (2Bᵀ S_b)·P_a + (I S_b)·P̈_a
//      ∂τ_a/∂v_b = S_a·(2B S_b + I (P_b + Ṡ_b))
//      ∂τ_b/∂v_a = (2Bᵀ S_b)·S_a + (I S_b)·(P_a + Ṡ_a)
//   within one joint the first of each, without S_b × f.
//
// Of a joint whose coordinate is a function f of its leader's, v_b = f' v and a_b = f' a + f" v²
// depend on the leader's position too, and its torque enters the leader's with the factor f':
//
//   ∂τ/∂q += f'_a (f"_b v ∂τ_a/∂v_b + (f"_b a + f"'_b v²) ∂τ_a/∂a_b) + f"_a τ_a
//   ∂τ/∂v += f'_a 2 f"_b v ∂τ_a/∂a_b
//
// For joints with quaternions ∂q is along the velocities, in the velocity's
// coordinates.

#pragma once

#include "dynamics/derivative/path_entries.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/world_frame_sweep.hpp"

namespace parid::dynamics {

template <Scalar T>
class InverseGradient {
 public:
  explicit InverseGradient(const CanonicalModel& c, Origin origin = Origin::tip)
      : at(c),
        ground_(c, origin),
        P_(c.freedom.size()),
        PP_(c.freedom.size()),
        PS_(c.freedom.size()),
        entries_(c),
        reverse_(c.topology.n + 1) {}

  // Row-major (nv, nv): row k holds the derivatives of τ_k.
  void operator()(const T* q, const T* v, const T* a, T* dq, T* dv, T* da) {
    at.load(q, v, a);
    evaluate(dq, dv, da);
  }
  void evaluate(T* dq, T* dv, T* da) {
    const CanonicalModel& c = at.c;
    sweep();
    for (int k = 0; k < c.nv * c.nv; ++k) dq[k] = dv[k] = da[k] = T(0.0);
    const auto& S = ground_.axis;
    const T two(2.0);
    const bool packed = PathEntries<T>::apply_to(c);
    auto add = [&](int a, int b, const T& by_q, const T& by_v, const T& by_a) {
      add_entry(c, at.motion, dq, a, b, by_q);
      add_entry(c, at.motion, dv, a, b, by_v);
      add_entry(c, at.motion, da, a, b, by_a);
      if (c.freedom[b].coupling >= 0) [[unlikely]]
        add_coupled(a, b, by_v, by_a, dq, dv);
    };
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>& x = ground_.link[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        if (const Freedom& f = c.freedom[b]; f.coupling >= 0) [[unlikely]] {
          T& own = dq[f.column * c.nv + f.column];  // the torque's own factor f' changes with q
          own = own + at.motion.coupled[f.coupling].d2 * torque(b);
        }
        const Wrench<T> by_q = two * x.carried.times(P_[b]) + x.body * PP_[b];
        const Wrench<T> by_v = two * x.carried.times(S[b]) + x.body * PS_[b];
        const Wrench<T> by_a = x.body * S[b];
        for (int a = c.first[i]; a < c.first[i + 1]; ++a) {
          const T own = dot(S[a], by_a);
          add(a, b, dot(S[a], by_q), dot(S[a], by_v),
              a == b ? own + T(c.freedom[a].rotor_inertia) : own);
        }
        const Wrench<T> felt = by_q + cross(S[b], x.force);
        const Vec3<T> row = two * x.carried.transposed_times(S[b]).n;  // its force is zero
        if (packed) {
          entries_.set_motion(b, S[b], P_[b], PP_[b], PS_[b]);
          entries_.set_forces(b, felt, by_v, by_a, row);
          continue;
        }
        for (int a = c.freedom[c.first[i]].parent; a >= 0; a = c.freedom[a].parent) {
          const T both = dot(S[a], by_a);
          add(a, b, dot(S[a], felt), dot(S[a], by_v), both);
          add(b, a, dot(row, P_[a].angular) + dot(PP_[a], by_a),
              dot(row, S[a].angular) + dot(PS_[a], by_a), both);
        }
      }
    }
    if (packed) entries_.write(S, dq, dv, da);
  }

  // gq = wᵀ ∂τ/∂q, gv = wᵀ ∂τ/∂v, ga = wᵀ ∂τ/∂a; nv numbers each.
  //
  // The reverse of Newton and Euler's recursion, in the links' frames. V, A, F: velocity,
  // acceleration and force of a link; S: a freedom; u = S v of its joint; X takes motions from the
  // parent to the link; × and ×* are the cross products of motions with motions and with forces.
  //
  //   V = X V + u        A = X A + S a + V × u        F = I A + V ×* I V        f = F + Σ Xᵀ f
  //
  // Σ w·τ is Σ W·F with W = X W + S w. Its derivatives by A and V of a link are the wrenches
  //
  //   by_A = I W + Σ Xᵀ by_A,   by_V = −W ×* I V − I (V × W) + u ×* by_A + Σ Xᵀ by_V
  void vector_product(const T* q, const T* v, const T* a, const T* w, T* gq, T* gv, T* ga) {
    const CanonicalModel& c = at.c;
    at.load(q, v, a);
    for (int k = 0; k < c.nv; ++k) gq[k] = gv[k] = ga[k] = T(0.0);
    reverse_[0].V = {{}, at.motion.base.w};
    reverse_[0].A = {-at.motion.gravity, at.motion.base.wd};
    reverse_[0].W = {};
    for (int i = 1; i <= c.topology.n; ++i) outwards(i, w);
    for (int i = c.topology.n; i >= 1; --i) {
      Reverse& x = reverse_[i];
      x.by_V = x.by_V + cross(x.u, x.by_A);
      const Wrench<T> turned =
          cross(x.V_before, x.by_V) + cross(x.A_before, x.by_A) + cross(x.W_before, x.f);
      const Wrench<T> faster = x.by_V - cross(x.V, x.by_A);
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const Freedom& freedom = c.freedom[b];
        const int k = freedom.column;
        const T scale = scale_of(at.motion, freedom), rotor = T(freedom.rotor_inertia);
        const T own_q = -component(turned, freedom.axis), own_v = component(faster, freedom.axis),
                own_a = component(x.by_A, freedom.axis) + rotor * scale * w[k];
        gq[k] = gq[k] + scale * own_q;
        gv[k] = gv[k] + scale * own_v;
        ga[k] = ga[k] + scale * own_a;
        if (freedom.coupling >= 0) [[unlikely]] {
          const CoupledJoint<T>& f = at.motion.coupled[freedom.coupling];
          const T torque = component(x.f, freedom.axis) + rotor * (f.d1 * f.a + f.drift());
          gq[k] = gq[k] + (f.d2 * f.v) * own_v + (f.d2 * f.a + f.d3 * (f.v * f.v)) * own_a +
                  (f.d2 * w[k]) * torque;
          gv[k] = gv[k] + T(2.0) * ((f.d2 * f.v) * own_a);
        }
      }
      const int j = c.topology.parent[i];
      if (j == 0) continue;
      Reverse& y = reverse_[j];
      const Mat3<T> R = at.motion.R(i);
      const Vec3<T> p = at.motion.p(i);
      y.f = y.f + on_parent(R, p, x.f);
      y.by_A = y.by_A + on_parent(R, p, x.by_A);
      y.by_V = y.by_V + on_parent(R, p, x.by_V);
    }
  }

  ModelState<T> at;

 private:
  // What freedom b of a coupled joint adds to row a besides f' ∂τ/∂(q, v, a): its velocity f' v and
  // its acceleration f' a + f'' v² change with its leader's position, the latter with its velocity.
  void add_coupled(int a, int b, const T& by_v, const T& by_a, T* dq, T* dv) const {
    const CanonicalModel& c = at.c;
    const CoupledJoint<T>& f = at.motion.coupled[c.freedom[b].coupling];
    const T scale = scale_of(at.motion, c.freedom[a]), turned = f.d2 * f.v;
    const int entry = c.freedom[a].column * c.nv + c.freedom[b].column;
    dq[entry] = dq[entry] + scale * (turned * by_v + (f.d2 * f.a + f.d3 * (f.v * f.v)) * by_a);
    dv[entry] = dv[entry] + scale * (T(2.0) * (turned * by_a));
  }
  // Of a freedom of a coupled joint, its rotor's included.
  T torque(int b) const {
    const Freedom& f = at.c.freedom[b];
    const CoupledJoint<T>& x = at.motion.coupled[f.coupling];
    return dot(ground_.axis[b], ground_.link[f.link].force) +
           T(f.rotor_inertia) * (x.d1 * x.a + x.drift());
  }

  void sweep() {
    const CanonicalModel& c = at.c;
    ground_.sweep(at.mechanism, at.motion);
    ground_.gather();
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>&parent = ground_.link[c.topology.parent[i]], &x = ground_.link[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        P_[b] = cross(parent.v, ground_.axis[b]);
        PP_[b] = cross(parent.a, ground_.axis[b]) + cross(parent.v, P_[b]);
        PS_[b] = P_[b] + cross(x.v, ground_.axis[b]);
      }
    }
  }

  // Motions and wrenches of a link in its frame, for vector_product().
  struct Reverse {
    Twist<T> V_before, A_before, W_before;  // the parent's
    Twist<T> V, A, W, u;
    Wrench<T> f, by_V, by_A;
  };
  void outwards(int i, const T* w) {
    const CanonicalModel& c = at.c;
    const Reverse& parent = reverse_[c.topology.parent[i]];
    Reverse& x = reverse_[i];
    const Mat3<T> R = at.motion.R(i);
    const Vec3<T> p = at.motion.p(i);
    auto seen = [&](const Twist<T>& y) {
      return Twist<T>{transposed_times(R, y.linear + cross(y.angular, p)),
                      transposed_times(R, y.angular)};
    };
    x.V_before = seen(parent.V);
    x.A_before = seen(parent.A);
    x.W_before = seen(parent.W);
    x.V = x.V_before;
    x.A = x.A_before;
    x.W = x.W_before;
    x.u = {};
    for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
      const Freedom& f = c.freedom[b];
      add_along(f.axis, joint_velocity(at.mechanism, at.motion, i, f.axis), x.u);
      add_along(f.axis, joint_acceleration(at.mechanism, at.motion, i, f.axis), x.A);
      add_along(f.axis, scale_of(at.motion, f) * w[f.column], x.W);
    }
    x.V = x.V + x.u;
    x.A = x.A + cross(x.V, x.u);
    const auto body = at.mechanism.body[i];
    const Moments<T> I{body[0], body.vec(1), body.sym(4)};
    const Wrench<T> h = I * x.V;
    x.f = I * x.A + cross(x.V, h);
    if (at.motion.external) x.f = x.f - at.motion.external[i];
    x.by_A = I * x.W;
    x.by_V = -T(1.0) * (cross(x.W, h) + I * cross(x.V, x.W));
  }
  static void add_along(int axis, const T& x, Twist<T>& to) {
    switch (axis) {
      case 0: to.linear.x = to.linear.x + x; return;
      case 1: to.linear.y = to.linear.y + x; return;
      case 2: to.linear.z = to.linear.z + x; return;
      case 3: to.angular.x = to.angular.x + x; return;
      case 4: to.angular.y = to.angular.y + x; return;
      default: to.angular.z = to.angular.z + x;
    }
  }

  WorldFrameSweep<T> ground_;
  std::vector<Twist<T>> P_, PP_, PS_;  // P, P̈, P + Ṡ
  PathEntries<T> entries_;
  std::vector<Reverse> reverse_;  // [0..n]
};

}  // namespace parid::dynamics
