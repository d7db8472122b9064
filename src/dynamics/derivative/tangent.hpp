// Derivatives along a direction: a quantity evaluated on numbers with one derivative each.
//
// The direction is (dq, dv, dx) for inputs (q, v, x), where x is an acceleration or a torque; dq is
// a velocity, also for joints whose positions are not vectors. Costs about twice the quantity.

#pragma once

#include "dynamics/composite_forward.hpp"
#include "dynamics/derivative/inverse_gradient.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/torque.hpp"
#include "model/joint/position_rate.hpp"
#include "scalar/dual.hpp"

namespace parid::dynamics {

// Inputs with their direction.
template <Scalar T>
class TangentInputs {
 public:
  using D = Dual<1, T>;
  explicit TangentInputs(const CanonicalModel& c) : q(c.nq), v(c.nv), x(c.nv), rate_(c.nq) {}

  void load(const Description& d, const T* q0, const T* v0, const T* x0, const T* dq, const T* dv,
            const T* dx) {
    position_rate(d, q0, dq, rate_.data());
    fill(q, q0, rate_.data());
    fill(v, v0, dv);
    fill(x, x0, dx);
  }
  // No derivative without a direction.
  static void fill(std::vector<D>& to, const T* value, const T* direction) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      to[k].value = value[k];
      to[k].d[0] = direction ? direction[k] : T(0.0);
    }
  }

  std::vector<D> q, v, x;

 private:
  std::vector<T> rate_;
};

// dtau: the derivative of inverse dynamics along (dq, dv, da).
template <Scalar T>
class InverseTangent {
  using D = Dual<1, T>;

 public:
  InverseTangent(const CanonicalModel& c, const Description& d)
      : torque(c), description_(d), in_(c), tau_(c.nv) {}

  void operator()(const T* q, const T* v, const T* a, const T* dq, const T* dv, const T* da,
                  T* dtau) {
    in_.load(description_, q, v, a, dq, dv, da);
    torque(in_.q.data(), in_.v.data(), in_.x.data(), tau_.data());
    for (std::size_t k = 0; k < tau_.size(); ++k) dtau[k] = tau_[k].d[0];
  }

  Torque<D> torque;

 private:
  const Description& description_;
  TangentInputs<T> in_;
  std::vector<D> tau_;
};

// da: the derivative of forward dynamics along (dq, dv, dtau):  M da = dtau − ∂τ/∂(q, v) · (dq,
// dv).
template <Scalar T>
class ForwardTangent {
 public:
  ForwardTangent(const CanonicalModel& c, const Description& d)
      : forward(c), inverse(c, d), a_(c.nv), none_(c.nv, T(0.0)) {}

  void operator()(const T* q, const T* v, const T* tau, const T* dq, const T* dv, const T* dtau,
                  T* da) {
    const int n = forward.at.c.nv;
    forward.acceleration(q, v, tau, a_.data());
    inverse(q, v, a_.data(), dq, dv, none_.data(), da);
    for (int k = 0; k < n; ++k) da[k] = dtau[k] - da[k];
    forward.solve(da);
  }

  CompositeForward<T> forward;
  InverseTangent<T> inverse;

 private:
  std::vector<T> a_, none_;
};

// hq, hv, ha: the derivative of wᵀ ∂τ/∂(q, v, a) along (dq, dv, da), which is the Hessian of wᵀ τ
// times that direction. In joints with quaternions, the derivatives of gq are by velocities too.
template <Scalar T>
class InverseHessianProduct {
  using D = Dual<1, T>;

 public:
  InverseHessianProduct(const CanonicalModel& c, const Description& d)
      : gradient(c), description_(d), in_(c), w_(c.nv), g_{std::vector<D>(c.nv), w_, w_} {}

  void operator()(const T* q, const T* v, const T* a, const T* w, const T* dq, const T* dv,
                  const T* da, T* hq, T* hv, T* ha) {
    in_.load(description_, q, v, a, dq, dv, da);
    TangentInputs<T>::fill(w_, w, nullptr);
    gradient.vector_product(in_.q.data(), in_.v.data(), in_.x.data(), w_.data(), g_[0].data(),
                            g_[1].data(), g_[2].data());
    T* const out[] = {hq, hv, ha};
    for (int k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < w_.size(); ++i) out[k][i] = g_[k][i].d[0];
  }

  InverseGradient<D> gradient;

 private:
  const Description& description_;
  TangentInputs<T> in_;
  std::vector<D> w_;
  std::array<std::vector<D>, 3> g_;
};

}  // namespace parid::dynamics
