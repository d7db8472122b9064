// Inverse dynamics in the user's coordinates over any number type, by the recursion that counts
// fewest operations.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/model_state.hpp"
#include "formulation/newton_euler_link.hpp"

namespace parid::dynamics {

template <Scalar T>
class Torque {
 public:
  explicit Torque(const CanonicalModel& c)
      : at(c), newton_euler_(at.mechanism), joint_torque_(c.topology.n + 1) {}

  void operator()(const T* q, const T* v, const T* a, T* tau) {
    at.load(q, v, a);
    newton_euler_.torque(at.mechanism, at.motion, joint_torque_.data());
    store_torque(
        at.c, at.motion, joint_torque_.data(),
        [this](int i) {
          return std::pair{newton_euler_.f(i), newton_euler_.n(i)};
        },
        [a](int k) { return a[k]; }, [tau](int k) { return tau[k]; },
        [tau](int k, const T& x) { tau[k] = x; });
  }

  ModelState<T> at;

 private:
  NewtonEulerLink<T, Mat3> newton_euler_;
  std::vector<T> joint_torque_;
};

}  // namespace parid::dynamics
