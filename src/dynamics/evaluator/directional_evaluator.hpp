// Evaluators that run over numbers with derivatives along a direction or along the time.

#pragma once

#include "dynamics/derivative/parameter_products.hpp"
#include "dynamics/derivative/tangent.hpp"
#include "dynamics/elastic/elastic.hpp"
#include "dynamics/evaluator/evaluator_of.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

// Null for another quantity. The arguments are those of make_evaluator().
template <Scalar T>
std::unique_ptr<Evaluator<T>> make_directional_evaluator(const Robot& robot, Quantity which,
                                                         const RowLayout* rows = nullptr) {
  using In = const T* const*;
  using Out = T* const*;
  const detail::EvaluatorMaker<T> maker(which, rows);
  const CanonicalModel& c = robot.canonical();
  const Description& d = robot.description();
  auto torque = [](auto& o, const auto& f) { f(o.torque.at); };
  auto both = [](auto& o, const auto& f) {
    f(o.forward.at);
    f(o.inverse.torque.at);
  };
  auto along = [](auto& o, int, In in, Out out) {
    o(in[0], in[1], in[2], in[3], in[4], in[5], out[0]);
  };
  auto along_parameters = [](auto& o, int, In in, Out out) {
    o(in[0], in[1], in[2], in[3], in[4], out[0]);
  };
  switch (which) {
    case Quantity::inverse_jacobian_product:
      return maker.template make<InverseTangent<T>>(torque, along, c, d);
    case Quantity::forward_jacobian_product:
      return maker.template make<ForwardTangent<T>>(both, along, c, d);
    case Quantity::inverse_parameter_jacobian_product:
      return maker.template make<InverseParameterTangent<T>>(torque, along_parameters, robot);
    case Quantity::forward_parameter_jacobian_product:
      return maker.template make<ForwardParameterTangent<T>>(both, along_parameters, robot);
    case Quantity::inverse_hessian_product:
      return maker.template make<InverseHessianProduct<T>>(
          [](auto& o, const auto& f) { f(o.gradient.at); },
          [](auto& o, int, In in, Out out) {
            o(in[0], in[1], in[2], in[3], in[4], in[5], in[6], out[0], out[1], out[2]);
          },
          c, d);
    case Quantity::elastic_inverse_dynamics:
      return maker.template make<ElasticInverse<T>>([](auto& o, const auto& f) { f(o.rates.at); },
                                                    [](auto& o, int, In in, Out out) {
                                                      o(in[0], in[1], in[2], in[3], in[4], out[0],
                                                        out[1], out[2]);
                                                    },
                                                    robot);
    case Quantity::elastic_forward_dynamics:
      return maker.template make<ElasticForward<T>>([](auto& o, const auto& f) { f(o.forward.at); },
                                                    [](auto& o, int, In in, Out out) {
                                                      o(in[0], in[1], in[2], in[3], in[4], out[0],
                                                        out[1]);
                                                    },
                                                    robot);
    default: return nullptr;
  }
}

}  // namespace parid::dynamics
