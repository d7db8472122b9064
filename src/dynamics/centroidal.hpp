// The centroidal momentum matrix and its time derivative; the centre of mass and its Jacobian.
//
// Source   Orin, Goswami, Lee: Centroidal dynamics of a humanoid robot, Autonomous Robots 35 (2013)
//          161-176; the rates of composite inertias are the twelve numbers of
//          world_frame_sweep.hpp.
// Order    O(n).
// Symbols  S Ṡ      axis of a freedom, and its rate with its own link
//          I İ      inertia of a link with all beyond it, and its rate
//
//   column b of A, about the origin: I S_b      of Ȧ: İ S_b + I Ṡ_b
//   about the centre of mass c:      n − c × f            ṅ − ċ × f − c × ḟ
//
// Axes are those of the root link's frame of the robot file. Rotors have no part in the momentum,
// as in energy.hpp. The base must be stationary.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/world_frame_sweep.hpp"

namespace parid::dynamics {

template <Scalar T>
class Centroidal {
 public:
  explicit Centroidal(const CanonicalModel& c)
      : at(c), root_(c.link[c.root].pose), ground_(c), column_(c.nv) {}

  // A, Ad: (6, nv), row-major; rows of linear momentum first.
  void operator()(const T* q, const T* v, T* A, T* Ad) {
    at.load(q, v);
    sweep();
    momenta();
    store(A);
    for_columns([this](int b, const WorldFrameLink<T>& x) {
      const Twist<T>& S = ground_.axis[b];
      const Wrench<T> h = x.body * S;
      const Wrench<T> rate = rate_times(x.carried, S) + x.body * cross(x.v, S);
      return Wrench<T>{rate.f, rate.n - cross(centre_rate_, h.f) - cross(centre_, rate.f)};
    });
    // The factor between a coupled joint's velocity and its leader's changes too.
    for (std::size_t b = 0; b < at.c.freedom.size(); ++b) {
      const Freedom& f = at.c.freedom[b];
      if (f.coupling < 0) continue;
      const CoupledJoint<T>& j = at.motion.coupled[f.coupling];
      add(j.d2 * j.v, momentum(static_cast<int>(b), ground_.link[f.link]), column_[f.column]);
    }
    store(Ad);
  }

  // The centre of mass and its Jacobian J, (3, nv).
  void centre(const T* q, Vec3<T>& position, T* J) {
    at.load(q);
    sweep();
    momenta();
    const int n = at.c.nv;
    for (int k = 0; k < n; ++k) {
      const Vec3<T> f = per_mass_ * transposed_times(turn(), column_[k].f);
      J[k] = f.x;
      J[n + k] = f.y;
      J[2 * n + k] = f.z;
    }
    // The origin of the ground is −o of link 0 in frame 0.
    position = transposed_times(turn(), centre_ - ground_.link[0].o - to<T>(root_.p));
  }

  // The derivative of the potential energy along each velocity; nv numbers. Requires centre().
  void potential_gradient(T* by_q) const {
    for (int k = 0; k < at.c.nv; ++k) by_q[k] = -dot(at.mechanism.gravity, column_[k].f);
  }

  ModelState<T> at;

 private:
  Mat3<T> turn() const { return to<T>(root_.R); }

  void sweep() {
    ground_.sweep(at.mechanism, at.motion);
    ground_.gather();
    T mass(0.0);
    Vec3<T> moment, rate;
    for (int i = 1; i <= at.c.topology.n; ++i) {
      if (at.c.topology.parent[i] != 0) continue;
      mass = mass + ground_.link[i].body.m;
      moment = moment + ground_.link[i].body.ms;
      rate = rate + ground_.link[i].carried.l;
    }
    per_mass_ = T(1.0) / mass;
    centre_ = per_mass_ * moment;
    centre_rate_ = per_mass_ * rate;
  }

  void momenta() {
    for_columns([this](int b, const WorldFrameLink<T>& x) { return momentum(b, x); });
  }
  Wrench<T> momentum(int b, const WorldFrameLink<T>& x) const {
    const Wrench<T> h = x.body * ground_.axis[b];
    return {h.f, h.n - cross(centre_, h.f)};
  }
  // İ S: ∫ṙ dm is l, and the rate of ∫r rᵀ dm is V + Vᵀ.
  static Wrench<T> rate_times(const Carried<T>& b, const Twist<T>& x) {
    const T trace = b.V.r0.x + b.V.r1.y + b.V.r2.z;
    return {cross(x.angular, b.l), T(2.0) * trace * x.angular - b.V * x.angular -
                                       math::transposed_times(b.V, x.angular) +
                                       cross(b.l, x.linear)};
  }

  template <class Of>
  void for_columns(const Of& of) {
    const CanonicalModel& c = at.c;
    for (Wrench<T>& x : column_) x = {};
    for (int i = 1; i <= c.topology.n; ++i)
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const Freedom& f = c.freedom[b];
        add(scale_of(at.motion, f), of(b, ground_.link[i]), column_[f.column]);
      }
  }
  static void add(const T& scale, const Wrench<T>& x, Wrench<T>& to) {
    to = {to.f + scale * x.f, to.n + scale * x.n};
  }
  void store(T* A) const {
    const int n = at.c.nv;
    for (int k = 0; k < n; ++k) {
      const Vec3<T> f = transposed_times(turn(), column_[k].f),
                    m = transposed_times(turn(), column_[k].n);
      const T all[] = {f.x, f.y, f.z, m.x, m.y, m.z};
      for (int r = 0; r < 6; ++r) A[r * n + k] = all[r];
    }
  }

  Pose<double> root_;  // the root link in frame 0
  WorldFrameSweep<T> ground_;
  std::vector<Wrench<T>> column_;  // by velocity
  T per_mass_{0.0};
  Vec3<T> centre_, centre_rate_;
};

}  // namespace parid::dynamics
