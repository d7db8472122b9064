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
  explicit ForwardGradient(const CanonicalModel& c, Origin origin = Origin::tip)
      : forward(c),
        inverse(c, origin),
        width_(row_distance<T>(2 * c.nv)),
        square_(row_distance<T>(c.nv)),
        a_(c.nv),
        y_(c.nv),
        rows_(static_cast<std::size_t>(c.nv) * width_, T(0.0)),
        product_(PackedRow<T>::numbers > 1 ? rows_.size() : 0),
        inverse_(static_cast<std::size_t>(c.nv) * square_, T(0.0)) {}

  // Row-major (nv, nv): row k holds the derivatives of a_k.
  void operator()(const T* q, const T* v, const T* tau, T* dq, T* dv, T* dtau) {
    const int n = forward.at.c.nv;
    forward.acceleration(q, v, tau, a_.data());
    inverse(q, v, a_.data(), dq, dv, dtau);
    for (int k = 0; k < n; ++k) {
      const int from = forward.row(k) * n;
      T* row = &rows_[static_cast<std::size_t>(k) * width_];
      for (int i = 0; i < n; ++i) row[i] = -dq[from + i];
      for (int i = 0; i < n; ++i) row[n + i] = -dv[from + i];
    }
    forward.inverse(inverse_.data(), square_);
    const T* solved = rows_.data();
    if constexpr (PackedRow<T>::numbers > 1) {  // all rows at once by lanes
      times_rows<T>(n, inverse_.data(), square_, rows_.data(), product_.data(), padded<T>(2 * n),
                    width_);
      solved = product_.data();
    } else {  // along the tree: fewer operations
      forward.solve_rows(rows_.data(), width_);
    }
    for (int k = 0; k < n; ++k) {
      const int to = forward.row(k) * n;
      const T* row = solved + static_cast<std::size_t>(k) * width_;
      for (int i = 0; i < n; ++i) dq[to + i] = row[i];
      for (int i = 0; i < n; ++i) dv[to + i] = row[n + i];
      const T* own = &inverse_[static_cast<std::size_t>(k) * square_];
      for (int i = 0; i < n; ++i) dtau[to + forward.row(i)] = own[i];
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
  int width_, square_;
  std::vector<T> a_, y_, rows_, product_, inverse_;
};

}  // namespace parid::dynamics
