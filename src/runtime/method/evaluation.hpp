// One formulation on one robot in one number type, from the user's coordinates to the user's
// torques: for comparing, counting and tracing formulations. Kernels are faster.

#pragma once

#include <span>
#include <vector>

#include "dynamics/friction_stage.hpp"
#include "formulation/scope.hpp"
#include "model/user_state.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

template <template <class> class F, class T>
class Evaluation {
 public:
  // `options` follow the mechanism where the formulation is constructed.
  template <class... Options>
  explicit Evaluation(const CanonicalModel& c, const Options&... options)
      : mechanism(c.mechanism),
        motion(mechanism),
        formulation(mechanism, options...),
        joint_torque(FrictionStage<T>::room(c.topology.n)),
        c_(c) {}

  void set_external_loads(const ExternalLoads& around) {
    motion.set_base(mechanism,
                    {to<T>(around.base.w), to<T>(around.base.wd), to<T>(around.base.vd)});
    external_.clear();
    for (const Wrench<double>& w : around.external) external_.push_back({to<T>(w.f), to<T>(w.n)});
    motion.external = external_.empty() ? nullptr : external_.data();
  }

  // Computes from positions, velocities and accelerations; the parts are separate so that each can
  // be counted.
  template <class Q, class V, class A>
  void load(const Q& q, const V& v, const A& a) {
    load_state(c_, motion, q, v, a);
  }
  void place() { motion.place(mechanism); }
  void run() { formulation.torque(mechanism, motion, joint_torque.data()); }

  template <class A, class Get, class Put>
  void store(const A& a, const Get& get, const Put& put, bool rotors = true) const {
    auto free = [this](int i) -> Wrench<T> {
      if constexpr (F<T>::scope.free_joints)
        return {formulation.f(i), formulation.n(i)};
      else
        return (void)i, Wrench<T>{};
    };
    store_torque(c_, motion, joint_torque.data(), free, a, get, put, rotors);
  }

  // Passes bearing friction and drive losses to use(bearing, drive), by joint of the mechanism
  // [1..n]. Call after run(). Throws Error for formulations without joint reactions.
  template <class Use>
  void friction(const Use& use) {
    if constexpr (requires { formulation.f_packed(1); }) {
      FrictionStage<T> stage(c_);
      std::vector<T> bearing(joint_torque.size(), T(0.0)), drive(joint_torque.size(), T(0.0));
      stage.torque(motion, formulation, joint_torque.data(), bearing.data(), drive.data());
      use(bearing, drive);
    } else {
      (void)use;
      throw Error(std::string(F<T>::id) +
                  " does not compute the joint reactions that friction needs");
    }
  }

  void torque(const T* q, const T* v, const T* a, T* tau) {
    auto column = [](const T* x) { return [x](int k) { return x[k]; }; };
    load(column(q), column(v), column(a));
    place();
    run();
    store(column(a), column(tau), [tau](int k, const T& x) { tau[k] = x; });
  }

  Mechanism<T> mechanism;
  State<T> motion;
  F<T> formulation;
  std::vector<T> joint_torque;  // [1..n]

 private:
  const CanonicalModel& c_;
  std::vector<Wrench<T>> external_;
};

// Any formulation in double along the rows of a batch, in the user's coordinates: for comparing
// formulations. Engine is faster.
template <class Formulation>
std::vector<double> torques_along(const Robot& robot, Formulation&& formulation, std::size_t rows,
                                  std::span<const double> q, std::span<const double> v,
                                  std::span<const double> a) {
  const CanonicalModel& c = robot.canonical();
  State<double> motion(c.mechanism);
  std::vector<double> joint(c.topology.n + 1), tau(rows * c.nv);
  for (std::size_t r = 0; r < rows; ++r) {
    auto column = [r](std::span<const double> x, int width) {
      return [x, at = r * width](int k) { return x[at + k]; };
    };
    double* out = tau.data() + r * c.nv;
    load_state(c, motion, column(q, c.nq), column(v, c.nv), column(a, c.nv));
    motion.place(c.mechanism);
    formulation.torque(c.mechanism, motion, joint.data());
    store_torque(
        c, motion, joint.data(),
        [&](int i) {
          return Wrench<double>{formulation.f(i), formulation.n(i)};
        },
        column(a, c.nv), [out](int k) { return out[k]; }, [out](int k, double x) { out[k] = x; });
  }
  return tau;
}

}  // namespace parid::runtime
