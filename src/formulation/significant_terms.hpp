// The terms that matter: τ_i = Σ J_ij q̈_j + Σ C_ijk q̇_j q̇_k + G_i with the small ones left out.
//
// Source   Luh, Lin: Automatic generation of dynamic equations for mechanical manipulators, JACC
//          1981, as retold by Dhanaraj (1990): terms are compared by size, for the figures of the
//          one robot, and negligible ones removed. Which terms are small is
//          lookup/term_selection.hpp's part.
// Order    O(n³) terms; here each coefficient comes from Newton-Euler, O(n) by itself.
// Symbols  G J C as in configuration_space.hpp, by the mechanism's joints
// Differs  they dropped symbols inside each coefficient as well; we keep or drop a coefficient
//          whole. Coefficients are differences of torques, not symbols: this shows what the
//          approximation loses, not what it saves.

#pragma once

#include <vector>

#include "formulation/configuration_space.hpp"
#include "formulation/layer.hpp"
#include "formulation/newton_euler_link.hpp"
#include "scalar/counted.hpp"

namespace parid::formulation {

// Which terms of joint i (0-based) stay: G_i, then J_ij by j, then C_ijk by pair j ≤ k.
struct TermSelection {
  Coefficients at;
  std::vector<bool> keep;  // n rows of per_joint()
  int nonzero = 0;         // terms that are not zero everywhere

  int per_joint() const { return 1 + at.n + at.pairs(); }
  int kept() const {
    int count = 0;
    for (const bool k : keep) count += k;
    return count;
  }
  // Of one torque from its coefficients: J q̈ is one multiplication, C q̇ q̇ two.
  OperationCount cost() const {
    OperationCount c;
    for (int i = 0; i < at.n; ++i) {
      int terms = 0;
      for (int t = 0; t < per_joint(); ++t)
        if (keep[i * per_joint() + t]) ++terms, c.multiplications += t == 0 ? 0 : t <= at.n ? 1 : 2;
      c.additions += terms > 0 ? terms - 1 : 0;
    }
    return c;
  }
  static TermSelection all(int n) {
    TermSelection s{{n}, {}, 0};
    s.keep.assign(n * s.per_joint(), true);
    return s;
  }
};

// All coefficients of a mechanism in its present state, by Newton-Euler with unit rates.
template <Scalar T>
class CoefficientSweep {
 public:
  explicit CoefficientSweep(const Mechanism<T>& m)
      : at_{m.n},
        floating_(m),
        motion_(m),
        newton_euler_(m),
        one_(m.n + 1),
        tau_(static_cast<std::size_t>(at_.motions()) * m.n) {
    floating_.gravity = Vec3<T>();
  }

  const Coefficients& layout() const { return at_; }

  void coefficients(const Mechanism<T>& m, const State<T>& at, T* out) {
    const T zero(0.0), one(1.0);
    motion_ = at;
    motion_.external = nullptr;
    for (int i = 1; i <= at_.n; ++i) motion_.set_rates(i, zero, zero);
    motion_.set_base(m, {{}, {}, at.base.vd});
    run(m, 0);
    motion_.set_base(floating_, {});
    for (int j = 0; j < at_.n; ++j) {
      motion_.set_rates(j + 1, zero, one);
      run(floating_, 1 + j);
      motion_.set_rates(j + 1, zero, zero);
    }
    at_.each_velocity([&](int row, int j, int k) {
      motion_.set_rates(j + 1, one, zero);
      motion_.set_rates(k + 1, one, zero);
      run(floating_, row);
      motion_.set_rates(j + 1, zero, zero);
      motion_.set_rates(k + 1, zero, zero);
    });
    at_.from_torques(tau_.data(), out);
  }

 private:
  void run(const Mechanism<T>& m, int row) {
    newton_euler_.torque(m, motion_, one_.data());
    for (int i = 0; i < at_.n; ++i) tau_[row * at_.n + i] = one_[i + 1];
  }

  Coefficients at_;
  Mechanism<T> floating_;  // the same without gravity
  State<T> motion_;
  NewtonEulerLink<T> newton_euler_;
  std::vector<T> one_, tau_;
};

template <Scalar T>
class SignificantTerms {
 public:
  static constexpr const char* id = "significant_terms";
  static constexpr bool exact = false;
  static constexpr Scope scope{.trees = true};

  SignificantTerms(const Mechanism<T>& m, TermSelection selection)
      : selection_(std::move(selection)), sweep_(m), c_(sweep_.layout().size()) {}

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    const Coefficients& l = sweep_.layout();
    sweep_.coefficients(m, at, c_.data());
    for (int i = 0; i < l.n; ++i) {
      auto keep = selection_.keep.begin() + i * selection_.per_joint();
      T sum(0.0);
      auto add = [&](const T& term) { sum = sum + term; };
      if (*keep++) add(c_[l.G(i)]);
      for (int j = 0; j < l.n; ++j)
        if (*keep++) add(c_[l.J(i, j)] * at.qdd(j + 1));
      for (int j = 0; j < l.n; ++j)
        for (int k = j; k < l.n; ++k)
          if (*keep++) add(c_[l.C(i, j, k)] * (at.qd(j + 1) * at.qd(k + 1)));
      tau[i + 1] = sum;
    }
  }

  Vec3<T> f(int) const { return {}; }  // no joints with several freedoms
  Vec3<T> n(int) const { return {}; }

 private:
  TermSelection selection_;
  CoefficientSweep<T> sweep_;
  std::vector<T> c_;
};

}  // namespace parid::formulation
