// A sampled control law whose dynamics use stale data: from the desired and the measured state to
// torques, once per control period. A template over any Scalar, so that the same law is run,
// differentiated and traced.
//
//   computed_torque  τ = N(q, v, a_d + kd ė + kp e)     N: the recursion of stale.hpp, e = q_d − q
//   pd+gravity       τ = N(q, 0, 0) + kd ė + kp e
//   pd               τ = kd ė + kp e
//   pd+feedforward   τ = N(q_d, v_d, a_d) + kd ė + kp e   (Khosla, Kanade: IJRR 7 (1988) 18-28)
//
// With `ahead` N is evaluated at q_d' − e, v_d' − ė and a_d' instead, where ' is a period later.

#pragma once

#include <utility>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/stale.hpp"
#include "model/user_state.hpp"

namespace parid::control {

template <Scalar T>
class StaleLaw {
 public:
  // One gain per coordinate. For robots whose joints have one freedom (demand_single_freedoms).
  StaleLaw(const CanonicalModel& c, LawKind kind, const Gains& gains)
      : mechanism(c.mechanism),
        motion(mechanism),
        recursion(mechanism),
        c_(c),
        kind_(kind),
        gains_(gains),
        joint_(c.topology.n + 1, T(0.0)),
        q_(c.nq),
        v_(c.nv),
        a_(c.nv) {}

  void set_policy(const Policy& p) {
    recursion.set_policy(p);
    const auto needed = static_cast<std::size_t>(p.delay) + 2;
    while (past_.size() < needed)
      past_.insert(past_.begin(), past_.empty() ? zero() : past_.front());
  }

  // The first period: the past is that of a robot at rest in this state.
  void start(const Desired& now, const Desired& next, const T* q, const T* v, T* tau) {
    const Policy asked = recursion.policy();
    recursion.set_policy(Policy());
    sum(now, next, q, v, tau, asked.ahead);
    recursion.set_policy(asked);
    recursion.settle();
    for (std::vector<T>& x : past_) x.assign(tau, tau + c_.nv);
  }

  void step(const Desired& now, const Desired& next, const T* q, const T* v, T* tau) {
    sum(now, next, q, v, tau, recursion.policy().ahead);
    // The latest value is last.
    for (std::size_t k = 0; k + 1 < past_.size(); ++k) std::swap(past_[k], past_[k + 1]);
    past_.back().assign(tau, tau + c_.nv);
    const std::size_t at = past_.size() - 1 - static_cast<std::size_t>(recursion.policy().delay);
    for (int k = 0; k < c_.nv; ++k) {
      tau[k] = past_[at][k];
      if (recursion.policy().predict_torque) tau[k] = tau[k] + (tau[k] - past_[at - 1][k]);
    }
  }

  // Torques of the last step by joint of the mechanism, [1..n]; unset if the law has no model.
  const std::vector<T>& joint_torques() const { return joint_; }
  bool has_model() const { return kind_ != LawKind::pd; }

  Mechanism<T> mechanism;
  State<T> motion;
  StaleNewtonEuler<T> recursion;

 private:
  std::vector<T> zero() const { return std::vector<T>(static_cast<std::size_t>(c_.nv), T(0.0)); }

  void sum(const Desired& now, const Desired& next, const T* q, const T* v, T* tau, bool ahead) {
    const Desired& aim = ahead ? next : now;
    for (int k = 0; k < c_.nv; ++k) {
      const T e = T(now.q[k]) - q[k], ed = T(now.v[k]) - v[k];
      const T correction = T(gains_.kp[k]) * e + T(gains_.kd[k]) * ed;
      q_[k] = ahead ? T(aim.q[k]) - e : q[k];
      v_[k] = ahead ? T(aim.v[k]) - ed : v[k];
      a_[k] = T(aim.a[k]) + correction;
      if (kind_ == LawKind::pd_gravity) v_[k] = a_[k] = T(0.0);
      if (kind_ == LawKind::pd_feedforward) {
        q_[k] = T(aim.q[k]);
        v_[k] = T(aim.v[k]);
        a_[k] = T(aim.a[k]);
      }
      tau[k] = correction;
    }
    if (kind_ == LawKind::pd) {
      ++recursion.period;
      return;
    }
    auto of = [](const std::vector<T>& x) { return [&x](int k) { return x[k]; }; };
    load_state(c_, motion, of(q_), of(v_), of(a_));
    motion.place(mechanism);
    recursion.torque(mechanism, motion, joint_.data());
    auto none = [](int) { return Wrench<T>{}; };
    std::vector<T>& model = v_;  // no longer needed
    store_torque(c_, motion, joint_.data(), none, of(a_), of(model),
                 [&](int k, const T& x) { model[k] = x; });
    for (int k = 0; k < c_.nv; ++k)
      tau[k] = kind_ == LawKind::computed_torque ? model[k] : tau[k] + model[k];
  }

  const CanonicalModel& c_;
  LawKind kind_;
  Gains gains_;
  std::vector<T> joint_;              // [1..n]
  std::vector<T> q_, v_, a_;          // arguments of the recursion
  std::vector<std::vector<T>> past_;  // torques before delay and prediction, latest last
};

}  // namespace parid::control
