// Torques along a motion with their time derivatives: inverse dynamics over Taylor series.
//
// Order    O(n) for each derivative; one sweep gives all.
// Symbols  rates[0] = q̇, rates[1] = q̈, …, rates[N + 1]: the derivatives of the velocity,
//          coordinate by coordinate (model/joint/coordinates.hpp)
//
// Joints with quaternions move by  ṗ = ½ p ⊗ (ω, 0)  and  ẋ = R(p) v,  solved coefficient by
// coefficient. Friction has a derivative on each side of a reversal; where a velocity is exactly
// zero it is that of the middle.

#pragma once

#include <array>
#include <vector>

#include "dynamics/friction_stage.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/model_state.hpp"
#include "formulation/newton_euler_link.hpp"
#include "model/joint/coordinates.hpp"
#include "scalar/taylor.hpp"

namespace parid::dynamics {

template <int N, Scalar T>
class TorqueRates {
  using U = Taylor<N, T>;

 public:
  using Rates = std::array<const T*, N + 2>;

  // Both must outlive it.
  TorqueRates(const CanonicalModel& c, const Description& d)
      : at(c),
        d_(d),
        newton_euler_(at.mechanism),
        friction_(c),
        joint_(FrictionStage<U>::room(c.topology.n), U(0.0)),
        bearing_(joint_),
        drive_(joint_),
        q_(c.nq),
        v_(c.nv),
        a_(c.nv),
        sum_(c.nv),
        part_(c.nv) {}

  // tau: (N + 1, nv), the torques and their derivatives.
  void operator()(const T* q, const Rates& rates, bool friction, T* tau) {
    const int nv = at.c.nv;
    for (int k = 0; k < nv; ++k) {
      v_[k] = series(rates, 0, k);
      a_[k] = series(rates, 1, k);
    }
    position(q);
    at.load(q_.data(), v_.data(), a_.data());
    newton_euler_.torque(at.mechanism, at.motion, joint_.data());
    store_torque(
        at.c, at.motion, joint_.data(),
        [this](int i) {
          return std::pair{newton_euler_.f(i), newton_euler_.n(i)};
        },
        in(a_), in(sum_), out(sum_));
    if (friction && !friction_.nothing()) {
      friction_.torque(at.motion, newton_euler_, joint_.data(), bearing_.data(), drive_.data());
      for (const auto* part : {&bearing_, &drive_}) {
        for (U& x : part_) x = U(0.0);
        store_friction(at.c, at.motion, part->data(), in(part_), out(part_));
        for (int k = 0; k < nv; ++k) sum_[k] = sum_[k] + part_[k];
      }
    }
    for (int k = 0; k < nv; ++k)
      for (int m = 0; m <= N; ++m) tau[m * nv + k] = sum_[k].derivative(m);
  }

  ModelState<U> at;

 private:
  static auto in(const std::vector<U>& x) {
    return [&x](int k) { return x[k]; };
  }
  static auto out(std::vector<U>& x) {
    return [&x](int k, const U& y) { x[k] = y; };
  }

  static U series(const Rates& rates, int first, int k) {
    std::array<T, N + 1> d{};
    for (int m = 0; m <= N; ++m) d[m] = first + m < N + 2 ? rates[first + m][k] : T(0.0);
    return U::of_derivatives(d);
  }

  // The series whose derivative is `rate`.
  static U integral(const T& start, const U& rate) {
    U x;
    x.c[0] = start;
    for (int k = 0; k < N; ++k) x.c[k + 1] = rate.c[k] * T(1.0 / (k + 1));
    return x;
  }

  void position(const T* q) {
    int p = 0, l = 0;
    for (const JointDescription& j : d_.joints) {
      const int width = position_count(j), rates = velocity_count(j);
      if (width == rates)
        for (int k = 0; k < width; ++k) q_[p + k] = integral(q[p + k], v_[l + k]);
      else
        turn(q, p, l, width == 7);
      p += width;
      l += rates;
    }
  }

  void turn(const T* q, int p, int l, bool floats) {
    const int at_quaternion = p + (floats ? 3 : 0), at_rate = l + (floats ? 3 : 0);
    U* x = &q_[at_quaternion];
    for (int k = 0; k < 4; ++k) {
      x[k] = U(0.0);
      x[k].c[0] = q[at_quaternion + k];
    }
    const Vec3<U> w{v_[at_rate], v_[at_rate + 1], v_[at_rate + 2]};
    const U half(0.5);
    for (int k = 0; k < N; ++k) {  // each turn makes one more coefficient right
      const Vec3<U> u{x[0], x[1], x[2]};
      const Vec3<U> rate = half * (x[3] * w + cross(u, w));
      const U scalar = -(half * dot(u, w));
      const U now[] = {rate.x, rate.y, rate.z, scalar};
      for (int h = 0; h < 4; ++h) x[h] = integral(q[at_quaternion + h], now[h]);
    }
    if (!floats) return;
    const Vec3<U> moved =
        rotation_of_quaternion(x[0], x[1], x[2], x[3]) * Vec3<U>{v_[l], v_[l + 1], v_[l + 2]};
    q_[p] = integral(q[p], moved.x);
    q_[p + 1] = integral(q[p + 1], moved.y);
    q_[p + 2] = integral(q[p + 2], moved.z);
  }

  const Description& d_;
  NewtonEulerLink<U, Mat3> newton_euler_;
  FrictionStage<U> friction_;
  std::vector<U, math::detail::CacheLineAllocator<U>> joint_, bearing_, drive_;
  std::vector<U> q_, v_, a_, sum_, part_;
};

}  // namespace parid::dynamics
