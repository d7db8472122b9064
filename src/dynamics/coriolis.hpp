// The Coriolis matrix: C(q, v) v is the velocity-dependent torque, and Ṁ − 2C is skew-symmetric, as
// stability proofs require (C from Christoffel symbols).
//
// Source   Echeandia and Wensing: Numerical methods to compute the Coriolis matrix and Christoffel
//          symbols for rigid-body systems, ASME J. Comput. Nonlinear Dynamics 16 (2021).
// Order    O(n d). The base must be stationary.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/world_frame_sweep.hpp"

namespace parid::dynamics {

template <Scalar T>
class Coriolis {
 public:
  explicit Coriolis(const CanonicalModel& c)
      : at(c),
        ground_(c),
        rate_(c.freedom.size()),
        moved_(c.topology.n + 1),
        turned_(c.topology.n + 1),
        beyond_(c.topology.n + 1) {}

  // C: (nv, nv), row-major.
  void operator()(const T* q, const T* v, T* C) {
    const CanonicalModel& c = at.c;
    at.load(q, v);
    ground_.sweep(at.mechanism, at.motion);
    ground_.gather();
    for (int k = 0; k < c.nv * c.nv; ++k) C[k] = T(0.0);
    const auto& S = ground_.axis;
    // Of coupled joints, where velocities are J v and J depends on positions, Jᵀ C J + Jᵀ M J̇.
    auto add = [&](int a, int b, const T& x, const T& mass) {
      add_entry(c, at.motion, C, a, b, x);
      const Freedom& f = c.freedom[b];
      if (f.coupling < 0) return;
      const CoupledJoint<T>& j = at.motion.coupled[f.coupling];
      T& entry = C[c.freedom[a].column * c.nv + f.column];
      const T inertia = a == b ? mass + T(f.rotor_inertia) : mass;
      entry = entry + scale_of(at.motion, c.freedom[a]) * ((j.d2 * j.v) * inertia);
    };
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>& x = ground_.link[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) rate_[b] = cross(x.v, S[b]);  // Ṡ
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const Wrench<T> column = x.body * rate_[b] + x.carried.times(S[b]);
        const Wrench<T> force = x.body * S[b], row = x.carried.transposed_times(S[b]);
        for (int a = c.first[i]; a < c.first[i + 1]; ++a)
          add(a, b, dot(S[a], column), dot(S[a], force));
        for (int a = before(c, i); a >= 0; a = c.freedom[a].parent) {
          add(a, b, dot(S[a], column), dot(S[a], force));
          add(b, a, dot(rate_[a], force) + dot(S[a], row), dot(S[a], force));
        }
      }
    }
  }

  // tau = C(q, v) w without the matrix, in O(n). The entries above are S_a·(B S_b + I Ṡ_b) with the
  // body and rates of whichever link is farther out: the freedoms before a link add up outwards,
  // the links beyond it inwards.
  void product(const T* q, const T* v, const T* w, T* tau) {
    const CanonicalModel& c = at.c;
    at.load(q, v);
    ground_.sweep(at.mechanism, at.motion);
    ground_.gather();
    const auto& S = ground_.axis;
    moved_[0] = {};
    turned_[0] = {};
    for (int k = 0; k < c.nv; ++k) tau[k] = T(0.0);
    for (int i = 1; i <= c.topology.n; ++i) {
      const int j = c.topology.parent[i];
      moved_[i] = moved_[j];
      turned_[i] = turned_[j];
      beyond_[i] = {};
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const T& x = w[c.freedom[b].column];
        const T rate = scale_of(at.motion, c.freedom[b]) * x;
        moved_[i] = moved_[i] + rate * S[b];
        turned_[i] = turned_[i] + rate * cross(ground_.link[i].v, S[b]);
        if (c.freedom[b].coupling >= 0) turned_[i] = turned_[i] + (change(b) * x) * S[b];
      }
    }
    for (int i = c.topology.n; i >= 1; --i) {
      const WorldFrameLink<T>& x = ground_.link[i];
      const int j = c.topology.parent[i];
      const Wrench<T> all = x.body * turned_[i] + x.carried.times(moved_[i]) + beyond_[i];
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        T& to = tau[c.freedom[b].column];
        T own = dot(S[b], all);
        if (c.freedom[b].coupling >= 0)
          own = own + T(c.freedom[b].rotor_inertia) * (change(b) * w[c.freedom[b].column]);
        to = to + scale_of(at.motion, c.freedom[b]) * own;
      }
      if (j == 0) continue;
      const T minus(-1.0);
      const Twist<T> own = moved_[i] + minus * moved_[j],
                     own_rate = turned_[i] + minus * turned_[j];
      beyond_[j] = beyond_[j] + beyond_[i] + x.body * own_rate + x.carried.times(own);
    }
  }

  ModelState<T> at;

 private:
  // The rate of the factor between a coupled joint's velocity and its leader's.
  T change(int b) const {
    const CoupledJoint<T>& j = at.motion.coupled[at.c.freedom[b].coupling];
    return j.d2 * j.v;
  }
  static int before(const CanonicalModel& c, int i) { return c.freedom[c.first[i]].parent; }
  WorldFrameSweep<T> ground_;
  std::vector<Twist<T>> rate_;
  std::vector<Twist<T>> moved_, turned_;  // by link: Σ S w and Σ Ṡ w from the base to it
  std::vector<Wrench<T>> beyond_;
};

}  // namespace parid::dynamics
