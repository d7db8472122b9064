// Derivatives of forward dynamics, ∂a/∂q, ∂a/∂v, ∂a/∂τ; and wᵀ times them without the matrices.
//
//   M a + h = τ:   ∂a/∂τ = M⁻¹,  ∂a/∂q = −M⁻¹ ∂τ/∂q,  ∂a/∂v = −M⁻¹ ∂τ/∂v,  the latter at that a.

#pragma once

#include "dynamics/composite_forward.hpp"
#include "dynamics/derivative/inverse_gradient.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

template <Scalar T>
class ForwardGradient {
 public:
  explicit ForwardGradient(const CanonicalModel& c)
      : forward(c), inverse(c), a_(c.nv), column_(c.nv), y_(c.nv) {}

  // Row-major (nv, nv): row k holds the derivatives of a_k.
  void operator()(const T* q, const T* v, const T* tau, T* dq, T* dv, T* dtau) {
    const int n = forward.at.c.nv;
    forward.acceleration(q, v, tau, a_.data());
    inverse(q, v, a_.data(), dq, dv, dtau);
    const T o(0.0), one(1.0);
    for (int k = 0; k < n; ++k) {
      for (T* D : {dq, dv}) {
        for (int i = 0; i < n; ++i) column_[i] = -D[i * n + k];
        forward.solve(column_.data());
        for (int i = 0; i < n; ++i) D[i * n + k] = column_[i];
      }
      for (int i = 0; i < n; ++i) column_[i] = i == k ? one : o;
      forward.solve(column_.data());
      for (int i = 0; i < n; ++i) dtau[i * n + k] = column_[i];
    }
  }

  void vector_product(const T* q, const T* v, const T* tau, const T* w, T* gq, T* gv, T* gtau) {
    const int n = forward.at.c.nv;
    forward.acceleration(q, v, tau, a_.data());
    for (int k = 0; k < n; ++k) y_[k] = w[k];
    forward.solve(y_.data());
    inverse.vector_product(q, v, a_.data(), y_.data(), gq, gv, gtau);
    for (int k = 0; k < n; ++k) {
      gq[k] = -gq[k];
      gv[k] = -gv[k];
      gtau[k] = y_[k];
    }
  }

  CompositeForward<T> forward;
  InverseGradient<T> inverse;

 private:
  std::vector<T> a_, column_, y_;
};

}  // namespace parid::dynamics
