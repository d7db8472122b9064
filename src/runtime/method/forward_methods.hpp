// Forward dynamics: accelerations from torques, one class per method.

#pragma once

#include <vector>

#include "dynamics/articulated_body.hpp"
#include "dynamics/composite_forward.hpp"
#include "formulation/newton_euler_link.hpp"
#include "runtime/layer.hpp"
#include "runtime/method/evaluation.hpp"

namespace parid::runtime {

template <class T>
using ReferenceNewtonEuler = NewtonEulerLink<T, Mat3>;

// The mass matrix from calls of inverse dynamics with unit accelerations, solved by Cholesky's
// method.
//
// Source   Walker and Orin's first method, as Dhanaraj (1990, appendix D.4) describes and uses it.
// Order    O(n²) for the n + 1 calls, O(n³) for the solution.
//
//   h = τ(q, q̇, 0);  column k of M = τ(q, 0, e_k) without gravity;  M q̈ = τ − h
template <Scalar T>
class UnitAccelerations {
 public:
  static constexpr const char* id = "unit_accelerations";
  static bool covers(const CanonicalModel&) { return true; }

  explicit UnitAccelerations(const CanonicalModel& c)
      : n_(c.nv), moving_(c), still_(c), zero_(n_, T(0.0)), unit_(n_, T(0.0)), h_(n_), M_(n_ * n_) {
    still_.motion.gravity = Vec3<T>();
  }

  void acceleration(const T* q, const T* v, const T* tau, T* a) {
    moving_.torque(q, v, zero_.data(), h_.data());
    for (int k = 0; k < n_; ++k) {
      unit_[k] = T(1.0);
      still_.torque(q, zero_.data(), unit_.data(), &M_[k * n_]);
      unit_[k] = T(0.0);
    }
    for (int k = 0; k < n_; ++k) a[k] = tau[k] - h_[k];
    solve(a);
  }

 private:
  // M = L D Lᵀ in place, then forward and back substitution: no square roots.
  void solve(T* x) {
    auto M = [this](int i, int j) -> T& { return M_[i * n_ + j]; };
    for (int j = 0; j < n_; ++j)
      for (int i = j + 1; i < n_; ++i) {
        const T l = M(i, j) / M(j, j);
        for (int k = j + 1; k <= i; ++k) M(i, k) = M(i, k) - l * M(k, j);
        M(j, i) = l;  // stored above the diagonal; column j below it still belongs to D
      }
    for (int j = 0; j < n_; ++j)
      for (int i = j + 1; i < n_; ++i) x[i] = x[i] - M(j, i) * x[j];
    for (int i = 0; i < n_; ++i) x[i] = x[i] / M(i, i);
    for (int i = n_ - 1; i >= 0; --i)
      for (int j = i + 1; j < n_; ++j) x[i] = x[i] - M(i, j) * x[j];
  }

  int n_;
  Evaluation<ReferenceNewtonEuler, T> moving_, still_;
  std::vector<T> zero_, unit_, h_, M_;
};

// The list of methods.
template <template <class> class... F>
struct ForwardMethodList {
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<F>(), ...);
  }
};
using ForwardMethods = ForwardMethodList<UnitAccelerations, CompositeForward, ArticulatedBody>;

}  // namespace parid::runtime
