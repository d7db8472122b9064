// Inverse and forward dynamics of robots with elastic joints, for an instant and over any number
// type. parid/elastic.hpp has the equations.
//
// Every coordinate has a motor position θ: that of an elastic joint's motor; of other joints with
// as many positions as velocities the joint's own; 0 of joints with quaternions. Without elastic
// joints both are those of rigid joints.
//
// Order    O(n) for the inverse, with the second derivatives of the torques; forward as
//          CompositeForward.
// Symbols  K D B    stiffness, damping, reflected rotor inertia
//          f f' f"  torque of the link side and its time derivatives
//
//   θ = q + (f − c (f' − c f"))/K,   θ̇ = q̇ + (f' − c f")/K,   θ̈ = q̈ + f"/K,   c = D/K
//   τ = f + B θ̈
//
// The motion of the base is that of constant angular and linear accelerations in the root's axes;
// gravity keeps its direction while the base turns. External wrenches are constant in their links'
// frames.

#pragma once

#include "dynamics/composite_forward.hpp"
#include "dynamics/derivative/torque_rates.hpp"
#include "dynamics/elastic/elastic_model.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

template <Scalar T>
class ElasticInverse {
  using Series = Taylor<2, T>;

 public:
  explicit ElasticInverse(const Robot& robot)
      : model_(robot),
        rates(model_.links(), model_.description()),
        root_(to<Series>(rates.at.c.link[rates.at.c.root].pose.p)),
        f_(3 * static_cast<std::size_t>(rates.at.c.nv)) {}

  // tau, theta, theta_v: nv numbers each.
  void operator()(const T* q, const T* v, const T* a, const T* jerk, const T* snap, T* tau,
                  T* theta, T* theta_v) {
    move_base();
    rates(q, {v, a, jerk, snap}, false, f_.data());
    const auto n = static_cast<std::size_t>(rates.at.c.nv);
    for (std::size_t k = 0; k < n; ++k) {
      tau[k] = f_[k];
      const int position = model_.position(k);
      theta[k] = position < 0 ? T(0.0) : q[position];
      theta_v[k] = v[k];
    }
    for (const Spring& j : model_) {
      const auto k = static_cast<std::size_t>(j.velocity);
      const T lag(j.damping / j.stiffness), compliance(1 / j.stiffness);
      const T rate = f_[n + k] - lag * f_[2 * n + k];
      theta[k] = theta[k] + compliance * (f_[k] - lag * rate);
      theta_v[k] = theta_v[k] + compliance * rate;
      tau[k] = tau[k] + T(j.rotor_inertia) * (a[k] + compliance * f_[2 * n + k]);
    }
  }

 private:
  ElasticModel model_;

 public:
  TorqueRates<2, T> rates;

 private:
  // The base's motion as series of the time, from its values at the instant. Its linear
  // acceleration is that of frame 0's origin, which turns about the root's.
  void move_base() {
    ModelState<Series>& at = rates.at;
    auto now = [](const Vec3<Series>& x) {
      auto first = [](const Series& y) {
        Series z(0.0);
        z.c[0] = y.c[0];
        return z;
      };
      return Vec3<Series>{first(x.x), first(x.y), first(x.z)};
    };
    auto integrated = [](Vec3<Series> start, const Vec3<Series>& rate) {
      for (int k = 0; k < 2; ++k) {
        const T factor(1.0 / (k + 1));
        start.x.c[k + 1] = factor * rate.x.c[k];
        start.y.c[k + 1] = factor * rate.y.c[k];
        start.z.c[k + 1] = factor * rate.z.c[k];
      }
      return start;
    };
    const Vec3<Series> w0 = now(at.motion.base.w), wd = now(at.motion.base.wd),
                       vd0 = now(at.motion.base.vd), g0 = now(at.mechanism.gravity);
    const Vec3<Series> w = integrated(w0, wd);
    Vec3<Series> g = g0;
    for (int k = 0; k < 2; ++k) g = integrated(g0, -cross(w, g));
    const Vec3<Series> vd = vd0 + cross(w0, cross(w0, root_)) - cross(w, cross(w, root_));
    at.motion.base = {w, wd, vd};
    at.motion.gravity = g - vd;
  }

  Vec3<Series> root_;
  std::vector<T> f_;  // f, f', f"
};

template <Scalar T>
class ElasticForward {
 public:
  explicit ElasticForward(const Robot& robot)
      : model_(robot),
        forward(model_.links()),
        applied_(static_cast<std::size_t>(forward.at.c.nv)) {}

  // Of rigid joints theta and theta_v are not read.
  void operator()(const T* q, const T* theta, const T* v, const T* theta_v, const T* tau, T* a,
                  T* theta_a) {
    for (std::size_t k = 0; k < applied_.size(); ++k) applied_[k] = tau[k];
    for (const Spring& j : model_)
      applied_[static_cast<std::size_t>(j.velocity)] =
          T(j.stiffness) * (theta[j.velocity] - q[j.position]) +
          T(j.damping) * (theta_v[j.velocity] - v[j.velocity]);
    forward.acceleration(q, v, applied_.data(), a);
    for (std::size_t k = 0; k < applied_.size(); ++k) theta_a[k] = a[k];
    for (const Spring& j : model_) {
      const auto k = static_cast<std::size_t>(j.velocity);
      theta_a[k] = T(1 / j.rotor_inertia) * (tau[k] - applied_[k]);
    }
  }

 private:
  ElasticModel model_;

 public:
  CompositeForward<T> forward;

 private:
  std::vector<T> applied_;
};

}  // namespace parid::dynamics
