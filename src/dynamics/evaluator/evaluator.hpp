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
#include "dynamics/derivative/energy_gradient.hpp"
#include "dynamics/derivative/parameter_products.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/evaluator/directional_evaluator.hpp"
#include "dynamics/evaluator/evaluator_of.hpp"
#include "dynamics/evaluator/gradient_evaluator.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/link_parameters.hpp"
#include "dynamics/operational_space.hpp"
#include "dynamics/regressor.hpp"
#include "parid/quantity.hpp"

namespace parid::dynamics {

namespace detail {

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
  explicit InverseMass(const CanonicalModel& c) : articulated(c), forward(c), zero_(c.nv, T(0.0)) {}
  void operator()(const T* q, T* Minv) {
    const CanonicalModel& c = articulated.at.c;
    const int n = c.nv;
    if (ArticulatedBody<T>::covers(c)) return articulated.inverse_mass(q, Minv);
    forward.acceleration(q, zero_.data(), zero_.data(), Minv);  // for its factors
    for (int k = 0; k < n; ++k) {  // row k holds column k of a symmetric matrix
      for (int i = 0; i < n; ++i) Minv[k * n + i] = T(i == k ? 1.0 : 0.0);
      forward.solve(Minv + k * n);
    }
  }

  ArticulatedBody<T> articulated;
  CompositeForward<T> forward;

 private:
  std::vector<T> zero_;
};

}  // namespace detail

// Those that neither gradient_evaluator.hpp nor directional_evaluator.hpp makes.
template <Scalar T>
std::unique_ptr<Evaluator<T>> make_plain_evaluator(const Robot& robot, Quantity which,
                                                   const RowLayout* rows = nullptr) {
  using In = const T* const*;
  using Out = T* const*;
  using namespace detail;
  const CanonicalModel& c = robot.canonical();
  auto none = [](auto&, const auto&) {};
  auto own = [](auto& o, const auto& f) { f(o.at); };
  auto both = [](auto& o, const auto& f) {
    f(o.forward.at);
    f(o.inverse.at);
  };
  auto make = [&]<class Object>(std::type_identity<Object>, auto states, auto call,
                                const auto&... arguments) {
    return EvaluatorMaker<T>(which, rows).template make<Object>(states, call, arguments...);
  };
  auto of_position = [](auto& o, int, In in, Out out) { o(in[0], out[0]); };
  auto by_parameters = [](auto& o, int, In in, Out out) {
    o(in[0], in[1], in[2], in[3], out[0], out[1]);
  };
  switch (which) {
    case Quantity::coriolis_matrix:
      return make(
          std::type_identity<Coriolis<T>>(), own,
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0]); }, c);
    case Quantity::coriolis_product:
      return make(
          std::type_identity<Coriolis<T>>(), own,
          [](auto& o, int, In in, Out out) { o.product(in[0], in[1], in[2], out[0]); }, c);
    case Quantity::inverse_mass_matrix:
      return make(
          std::type_identity<InverseMass<T>>(),
          [](auto& o, const auto& f) {
            f(o.articulated.at);
            f(o.forward.at);
          },
          of_position, c);
    case Quantity::inverse_parameter_vector_product:
      return make(std::type_identity<InverseParameterVectorProduct<T>>(), own, by_parameters,
                  robot);
    case Quantity::forward_parameter_vector_product:
      return make(std::type_identity<ForwardParameterVectorProduct<T>>(), both, by_parameters,
                  robot);
    case Quantity::regressor:
      return make(
          std::type_identity<UserRegressor<T>>(), [](auto& o, const auto& f) { f(o.all.at); },
          [](auto& o, int, In in, Out out) { o(in[0], in[1], in[2], out[0]); }, robot);
    case Quantity::energy:
      return make(
          std::type_identity<Energy<T>>(), own,
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
      return make(
          std::type_identity<EnergyGradient<T>>(),
          [](auto& o, const auto& f) {
            f(o.gradient.at);
            f(o.centroidal.at);
          },
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0], out[1], out[2]); }, c);
    case Quantity::centroidal_momentum_matrix:
      return make(
          std::type_identity<Centroidal<T>>(), own,
          [](auto& o, int, In in, Out out) { o(in[0], in[1], out[0], out[1]); }, c);
    case Quantity::centre_of_mass:
      return make(
          std::type_identity<Centroidal<T>>(), own,
          [](auto& o, int, In in, Out out) {
            Vec3<T> p;
            o.centre(in[0], p, out[1]);
            put(p, out[0]);
          },
          c);
    case Quantity::operational_space:
      return make(
          std::type_identity<OperationalSpace<T>>(),
          [](auto& o, const auto& f) { f(o.forward.at); },
          [](auto& o, int link, In in, Out out) { o(in[0], in[1], link, out[0], out[1]); }, c);
    case Quantity::kinematics:
      return make(
          std::type_identity<LinkMotion<T>>(), none,
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
      return make(
          std::type_identity<LinkMotion<T>>(), none,
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
      return make(
          std::type_identity<LinkMotion<T>>(), none,
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

// Null for a quantity without one. `rows`: what differs by row, of the arguments that the quantity
// depends on; it must outlive the evaluator.
template <Scalar T>
std::unique_ptr<Evaluator<T>> make_evaluator(const Robot& robot, Quantity which,
                                             const RowLayout* rows = nullptr) {
  if (auto e = make_gradient_evaluator<T>(robot, which, rows)) return e;
  if (auto e = make_directional_evaluator<T>(robot, which, rows)) return e;
  return make_plain_evaluator<T>(robot, which, rows);
}

}  // namespace parid::dynamics
