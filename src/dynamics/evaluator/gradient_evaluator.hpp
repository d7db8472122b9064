// Evaluators of the gradients and of their products from the left.

#pragma once

#include "dynamics/derivative/forward_gradient.hpp"
#include "dynamics/evaluator/evaluator_of.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

// Null for another quantity. The arguments are those of make_evaluator().
template <Scalar T>
std::unique_ptr<Evaluator<T>> make_gradient_evaluator(const Robot& robot, Quantity which,
                                                      const RowLayout* rows = nullptr) {
  using In = const T* const*;
  using Out = T* const*;
  const detail::EvaluatorMaker<T> maker(which, rows);
  const CanonicalModel& c = robot.canonical();
  auto own = [](auto& o, const auto& f) { f(o.at); };
  auto both = [](auto& o, const auto& f) {
    f(o.forward.at);
    f(o.inverse.at);
  };
  auto gradient = [](auto& o, int, In in, Out out) {
    o(in[0], in[1], in[2], out[0], out[1], out[2]);
  };
  auto product = [](auto& o, int, In in, Out out) {
    o.vector_product(in[0], in[1], in[2], in[3], out[0], out[1], out[2]);
  };
  switch (which) {
    case Quantity::inverse_gradient:
      return maker.template make<InverseGradient<T>>(own, gradient, c);
    case Quantity::forward_gradient:
      return maker.template make<ForwardGradient<T>>(both, gradient, c);
    case Quantity::inverse_vector_product:
      return maker.template make<InverseGradient<T>>(own, product, c);
    case Quantity::forward_vector_product:
      return maker.template make<ForwardGradient<T>>(both, product, c);
    default: return nullptr;
  }
}

}  // namespace parid::dynamics
