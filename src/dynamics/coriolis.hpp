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
  explicit Coriolis(const CanonicalModel& c) : at(c), ground_(c), rate_(c.freedom.size()) {}

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

  ModelState<T> at;

 private:
  static int before(const CanonicalModel& c, int i) { return c.freedom[c.first[i]].parent; }
  WorldFrameSweep<T> ground_;
  std::vector<Twist<T>> rate_;
};

}  // namespace parid::dynamics
