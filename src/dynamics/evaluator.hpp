// One quantity as a function of arrays, over any number type: for one sample, for a register of
// samples in lanes, and for tracing.
//
//   auto evaluate = make_evaluator<double>(robot, Quantity::inverse_gradient);
//   (*evaluate)(link, in, out);   // arrays in the order and with the sizes of parid/quantity.hpp
//
// Torques, forward dynamics and the mass matrix have kernels of their own (runtime/kernel/).

#pragma once

#include <memory>

#include "dynamics/articulated_body.hpp"
#include "dynamics/coriolis.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/energy_gradient.hpp"
#include "dynamics/forward_gradient.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/link_parameters.hpp"
#include "dynamics/operational_space.hpp"
#include "dynamics/regressor.hpp"
#include "dynamics/tangent.hpp"
#include "parid/quantity.hpp"

namespace parid::dynamics {

template <Scalar T>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Belongs to one thread; allocates nothing. `link` is an index in the description, for quantities
  // that need one.
  virtual void operator()(int link, const T* const* in, T* const* out) = 0;
  // Base motion in frame 0, wrenches on links [0..n]; without effect on quantities that do not
  // depend on them.
  virtual void set_base_motion(const BaseMotion<double>&) {}
  virtual void set_external(const std::vector<Wrench<double>>&) {}
};

namespace detail {

template <class U>
void set_base(ModelState<U>& at, const BaseMotion<double>& b) {
  at.motion.set_base(at.mechanism, {to<U>(b.w), to<U>(b.wd), to<U>(b.vd)});
}

// Wrenches in one number type, for the states that point to them.
template <class U>
struct ExternalWrenches {
  std::vector<Wrench<U>> held;
  void act_on(const std::vector<Wrench<double>>& w) {
    held.clear();
    for (const Wrench<double>& x : w) held.push_back({to<U>(x.f), to<U>(x.n)});
  }
  void act_on(ModelState<U>& at) const {
    at.motion.external = held.empty() ? nullptr : held.data();
  }
};

// An evaluator that does not depend on base motion and wrenches.
template <Scalar T, class Object, class Call>
class PlainEvaluator : public Evaluator<T> {
 public:
  template <class... Arguments>
  explicit PlainEvaluator(Call call, const Arguments&... arguments)
      : object(arguments...), call_(call) {}
  void operator()(int link, const T* const* in, T* const* out) override {
    call_(object, link, in, out);
  }

  Object object;

 private:
  Call call_;
};

// One whose states `States` lists: states(object, f) calls f(state) for each, all over U.
template <Scalar T, class U, class Object, class States, class Call>
class LoadedEvaluator final : public PlainEvaluator<T, Object, Call> {
 public:
  template <class... Arguments>
  explicit LoadedEvaluator(States states, bool wrenches, Call call, const Arguments&... arguments)
      : PlainEvaluator<T, Object, Call>(call, arguments...),
        states_(states),
        takes_wrenches_(wrenches) {}
  void set_base_motion(const BaseMotion<double>& b) override {
    states_(this->object, [&](auto& at) { set_base(at, b); });
  }
  void set_external(const std::vector<Wrench<double>>& w) override {
    if (!takes_wrenches_) return;
    wrenches_.act_on(w);
    tangents_.act_on(w);
    states_(this->object, [&](auto& at) {
      if constexpr (std::is_same_v<decltype(at), ModelState<T>&>)
        wrenches_.act_on(at);
      else
        tangents_.act_on(at);
    });
  }

 private:
  States states_;
  bool takes_wrenches_;
  ExternalWrenches<T> wrenches_;
  ExternalWrenches<U> tangents_;
};

template <class Object, Scalar T, class Call, class... Arguments>
std::unique_ptr<Evaluator<T>> plain_evaluator(Call call, const Arguments&... arguments) {
  return std::make_unique<PlainEvaluator<T, Object, Call>>(call, arguments...);
}
template <class Object, Scalar T, class States, class Call, class... Arguments>
std::unique_ptr<Evaluator<T>> loaded_evaluator(States states, Call call,
                                               const Arguments&... arguments) {
  return std::make_unique<LoadedEvaluator<T, Dual<1, T>, Object, States, Call>>(states, true, call,
                                                                                arguments...);
}

template <class T>
void put(const Vec3<T>& x, T* to) {
  to[0] = x.x;
  to[1] = x.y;
  to[2] = x.z;
}
// Row-major (6, n) from a function of the column.
template <class T, class Column>
void put_columns(int n, const Column& column, T* to) {
  for (int k = 0; k < n; ++k) {
    const Twist<T> x = column(k);
    T all[6];
    put(x.linear, all);
    put(x.angular, all + 3);
    for (int r = 0; r < 6; ++r) to[r * n + k] = all[r];
  }
}

// The regressor's columns of the links whose parameters are the user's.
template <Scalar T>
class UserRegressor {
 public:
  explicit UserRegressor(const Robot& robot)
      : all(robot.canonical(), link_frames(robot)),
        links_(links_with_parameters(robot)),
        Y_(static_cast<std::size_t>(robot.nv()) * static_cast<std::size_t>(all.columns())) {}
  void operator()(const T* q, const T* v, const T* a, T* Y) {
    all(q, v, a, Y_.data());
    const int from = all.columns(), to = 10 * static_cast<int>(links_.size());
    for (int k = 0; k < all.at.c.nv; ++k)
      for (std::size_t l = 0; l < links_.size(); ++l)
        for (int p = 0; p < 10; ++p)
          Y[k * to + 10 * static_cast<int>(l) + p] = Y_[k * from + 10 * (links_[l] - 1) + p];
  }

  Regressor<T> all;

 private:
  std::vector<int> links_;
  std::vector<T> Y_;
};

// M⁻¹ by articulated bodies, or by the factors of M where joints mimic others.
template <Scalar T>
class InverseMass {
 public:
  explicit InverseMass(const CanonicalModel& c)
      : articulated_(c), forward_(c), zero_(c.nv, T(0.0)) {}
  void operator()(const T* q, T* Minv) {
    const CanonicalModel& c = articulated_.at.c;
    const int n = c.nv;
    if (ArticulatedBody<T>::covers(c)) return articulated_.inverse_mass(q, Minv);
    forward_.acceleration(q, zero_.data(), zero_.data(), Minv);  // for its factors
    for (int k = 0; k < n; ++k) {  // row k holds column k of a symmetric matrix
      for (int i = 0; i < n; ++i) Minv[k * n + i] = T(i == k ? 1.0 : 0.0);
      forward_.solve(Minv + k * n);
    }
  }

 private:
  ArticulatedBody<T> articulated_;
  CompositeForward<T> forward_;
  std::vector<T> zero_;
};

}  // namespace detail

// Null for a quantity without one.
template <Scalar T>
std::unique_ptr<Evaluator<T>> make_evaluator(const Robot& robot, Quantity which) {
  using In = const T* const*;
  using Out = T* const*;
  using namespace detail;
  const CanonicalModel& c = robot.canonical();
  const Description& d = robot.description();
  auto own = [](auto& o, const auto& f) { f(o.at); };
  auto both = [](auto& o, const auto& f) {
    f(o.forward.at);
    f(o.inverse.at);
  };
  switch (which) {
    case Quantity::coriolis_matrix:
      return plain_evaluator<Coriolis<T>, T>(
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0]); }, c);
    case Quantity::coriolis_product:
      return plain_evaluator<Coriolis<T>, T>(
          [](auto& o, int, In in, Out out) { o.product(in[0], in[1], in[2], out[0]); }, c);
    case Quantity::inverse_mass_matrix:
      return plain_evaluator<InverseMass<T>, T>(
          [](auto& o, int, In in, Out out) { o(in[0], out[0]); }, c);
    case Quantity::inverse_gradient:
      return loaded_evaluator<InverseGradient<T>, T>(
          own, [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], out[0], out[1], out[2]); },
          c);
    case Quantity::forward_gradient:
      return loaded_evaluator<ForwardGradient<T>, T>(
          both,
          [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], out[0], out[1], out[2]); }, c);
    case Quantity::inverse_vector_product:
      return loaded_evaluator<InverseGradient<T>, T>(
          own,
          [](auto& o, int, In in, Out out) {
            o.vector_product(in[0], in[1], in[2], in[3], out[0], out[1], out[2]);
          },
          c);
    case Quantity::forward_vector_product:
      return loaded_evaluator<ForwardGradient<T>, T>(
          both,
          [](auto& o, int, In in, Out out) {
            o.vector_product(in[0], in[1], in[2], in[3], out[0], out[1], out[2]);
          },
          c);
    case Quantity::inverse_jacobian_product:
      return loaded_evaluator<InverseTangent<T>, T>(
          [](auto& o, const auto& f) { f(o.torque.at); },
          [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], in[3], in[4], in[5], out[0]); },
          c, d);
    case Quantity::forward_jacobian_product:
      return loaded_evaluator<ForwardTangent<T>, T>(
          [](auto& o, const auto& f) {
            f(o.forward.at);
            f(o.inverse.torque.at);
          },
          [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], in[3], in[4], in[5], out[0]); },
          c, d);
    case Quantity::inverse_hessian_product:
      return loaded_evaluator<InverseHessianProduct<T>, T>(
          [](auto& o, const auto& f) { f(o.gradient.at); },
          [](auto& o, int, In in, Out out) {
            o(in[0], in[1], in[2], in[3], in[4], in[5], in[6], out[0], out[1], out[2]);
          },
          c, d);
    case Quantity::regressor: {  // wrenches are no parameters
      auto states = [](auto& o, const auto& f) { f(o.all.at); };
      auto call = [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], out[0]); };
      return std::make_unique<
          LoadedEvaluator<T, Dual<1, T>, UserRegressor<T>, decltype(states), decltype(call)>>(
          states, false, call, robot);
    }
    case Quantity::energy:
      return plain_evaluator<Energy<T>, T>(
          [](auto& o, int, In in, Out out) {
            const EnergyAnswer<T> e = o(in[0], in[1]);
            *out[0] = e.kinetic;
            *out[1] = e.potential;
            put(e.centre, out[2]);
            put(e.centre_velocity, out[3]);
            put(e.linear_momentum, out[4]);
            put(e.angular_momentum, out[5]);
          },
          c);
    case Quantity::energy_gradient:
      return plain_evaluator<EnergyGradient<T>, T>(
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0], out[1], out[2]); }, c);
    case Quantity::centroidal_momentum_matrix:
      return plain_evaluator<Centroidal<T>, T>(
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0], out[1]); }, c);
    case Quantity::centre_of_mass:
      return plain_evaluator<Centroidal<T>, T>(
          [](auto& o, int, In in, Out out) {
            Vec3<T> p;
            o.centre(in[0], p, out[1]);
            put(p, out[0]);
          },
          c);
    case Quantity::operational_space:
      return loaded_evaluator<OperationalSpace<T>, T>(
          [](auto& o, const auto& f) { f(o.forward.at); },
          [](auto& o, int link, In in, Out out) { o(in[0], in[1], link, out[0], out[1]); }, c);
    case Quantity::kinematics:
      return plain_evaluator<LinkMotion<T>, T>(
          [](auto& o, int link, In in, Out out) {
            o.load(in[0]);
            const Pose<T> x = o.pose(link);
            put(x.R.r0, out[0]);
            put(x.R.r1, out[0] + 3);
            put(x.R.r2, out[0] + 6);
            put(x.p, out[1]);
          },
          c);
    case Quantity::jacobian:
    case Quantity::jacobian_local:
    case Quantity::jacobian_world:
      return plain_evaluator<LinkMotion<T>, T>(
          [which](auto& o, int link, In in, Out out) {
            o.load(in[0]);
            const std::vector<Twist<T>>& J = o.jacobian(link);
            const Pose<T> x = o.pose(link);
            put_columns<T>(
                o.at.c.nv,
                [&](int k) {
                  if (which == Quantity::jacobian_local)
                    return Twist<T>{transposed_times(x.R, J[k].linear),
                                    transposed_times(x.R, J[k].angular)};
                  if (which == Quantity::jacobian_world)
                    return Twist<T>{J[k].linear + cross(x.p, J[k].angular), J[k].angular};
                  return J[k];
                },
                out[0]);
          },
          c);
    case Quantity::jacobian_rate_product:
      return plain_evaluator<LinkMotion<T>, T>(
          [](auto& o, int link, In in, Out out) {
            o.load(in[0], in[1]);
            const Twist<T> x = o.acceleration(link);
            put(x.linear, out[0]);
            put(x.angular, out[0] + 3);
          },
          c);
    default: return nullptr;
  }
}

}  // namespace parid::dynamics
