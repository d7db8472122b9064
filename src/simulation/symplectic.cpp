// The variational midpoint rule: the motion that makes the sum of h L(middle, (q1 − q0)/h)
// stationary.
//
// Source   Marsden and West: Discrete mechanics and variational integrators, Acta Numerica 10
//          (2001). It is the implicit midpoint rule for positions and momenta.
// Order    2; time-reversible.
// Keeps    without torques: the symplectic form, and so energy within a band that does not widen
//          with time, of width h²; momenta that symmetries of the robot conserve.
//
//   p0 = M(q_m) v_m − h/2 F(q_m, v_m),     q_m = q0 ⊞ h/2 v_m,     F = τ + Cᵀ v − g
//   p1 = M(q_m) v_m + h/2 F,               q1 = q0 ⊞ h v_m,         v1 = M(q1)⁻¹ p1
//
// with p = M v, solved for v_m by fixed-point iteration. This holds if positions are numbers. For
// joints that rotate in space, with x = h v_m and F without the terms of rotating frames,
//
//   p0 = dexp(x)⁻ᵀ (M v_m + h/2 dexp(−x/2)ᵀ F) − h Ad(exp(−x/2))ᵀ F
//   p1 = dexp(−x)⁻ᵀ (M v_m + h/2 dexp(−x/2)ᵀ F)
//
// from the variation of h L(q0 exp(x/2), x/h) by q0 and q1.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "simulation/integrator.hpp"

namespace parid::simulation {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Symplectic : public Integrator {
 public:
  explicit Symplectic(Plant& plant) : Integrator(plant), n_(plant.n()) {
    q_.resize(static_cast<std::size_t>(plant.robot().nq()));
    M_.resize(n_, n_);
    C_.resize(n_, n_);
    for (Vector* x : {&p0_, &p_, &v_, &half_, &force_, &g_, &a_, &tau_, &taken_}) x->setZero(n_);
  }

  bool step(double h) override {
    const double middle = plant_.t + h / 2;
    mass(plant_.base);
    p0_ = M_ * Eigen::Map<const Vector>(plant_.v.data(), n_);
    v_ = Eigen::Map<const Vector>(plant_.v.data(), n_);
    double change = 0, before = INFINITY;
    for (int turn = 0;; ++turn) {
      const Vector last = v_;
      if (!forces(middle, h)) return false;
      // The springs' torques are linear in the unknown: with them in the matrix, steps may be
      // longer than their periods.
      if (plant_.springs())
        v_ += solved(middle_momentum(h) - M_ * v_);
      else
        v_ = solved(middle_momentum(h));
      change = (v_ - last).lpNorm<Eigen::Infinity>();
      if (!std::isfinite(change)) return false;
      // Iterates to the last bit, or until the iterates cycle.
      if (change <= 4e-16 * (1 + v_.lpNorm<Eigen::Infinity>()) || (turn > 8 && change >= before))
        break;
      if (turn == 100) return false;  // the step is far too long
      before = change;
    }
    if (change > 1e-10 * (1 + v_.lpNorm<Eigen::Infinity>())) return false;
    const Chart& chart = plant_.chart();
    p_ = force_;
    chart.transposed_dexp((-h / 2 * v_).eval().data(), p_.data());
    p_ = M_ * v_ + h / 2 * p_;
    chart.transposed_dexp_inverse((-h * v_).eval().data(), p_.data());
    const Vector whole = h * v_;
    plant_.chart().position(plant_.base.data(), whole.data(), q_.data());
    mass(q_);
    const Vector v1 = solved(p_);
    std::copy_n(whole.data(), n_, end_.data());
    std::copy_n(v1.data(), n_, end_.data() + n_);
    if (plant_.springs()) {
      end_[2 * n_] = plant_.work + h * plant_.power(tau_.data(), v_.data());
      end_[2 * n_ + 1] = plant_.losses + h * plant_.lost_power(taken_.data(), v_.data());
      return true;
    }
    end_[2 * n_] = plant_.work + tau_.dot(whole);
    end_[2 * n_ + 1] = plant_.losses + taken_.dot(whole);
    return true;
  }

 private:
  void mass(const std::vector<double>& q, double stiffened_over = 0) {
    mass_matrix(plant_.robot(), plant_.workspace(), q,
                {M_.data(), static_cast<std::size_t>(n_ * n_)});
    if (plant_.springs() && stiffened_over > 0) {
      Matrix stiff = M_;
      plant_.springs()->stiffen(stiffened_over, stiff);
      hold_stuck(stiff);
      hold_stuck(M_);
      factors_.compute(stiff);
      return;
    }
    hold_stuck(M_);
    factors_.compute(M_);
  }
  void hold_stuck(Matrix& M) const {
    for (int k = 0; k < n_; ++k)
      if (stuck(k)) {
        M.row(k).setZero();
        M.col(k).setZero();
        M(k, k) = 1;
      }
  }

  bool stuck(int k) const {
    ForwardFriction* f = plant_.friction();
    return f && f->can_stick(k) && f->ways()[k] == 0;
  }
  // Joints that stick are left out: friction determines their momentum.
  Vector solved(Vector p) const {
    for (int k = 0; k < n_; ++k)
      if (stuck(k)) p[k] = 0;
    return factors_.solve(p);
  }

  // F, M_ and factors_ in the middle, at velocity v_.
  bool forces(double middle, double h) {
    const auto n = static_cast<std::size_t>(n_);
    half_ = h / 2 * v_;
    plant_.chart().position(plant_.base.data(), half_.data(), q_.data());
    if (!plant_.acceleration(middle, q_.data(), v_.data(), a_.data(), tau_.data(), taken_.data()))
      return false;
    mass(q_, h);
    coriolis_matrix(plant_.robot(), plant_.workspace(), q_, {v_.data(), n}, {C_.data(), n * n});
    gravity(plant_.robot(), plant_.workspace(), q_, {g_.data(), n});
    force_ = tau_ - taken_ - g_ + C_.transpose() * v_;
    const Vector momentum = M_ * v_;
    plant_.chart().subtract_turning(v_.data(), momentum.data(), force_.data());
    return true;
  }
  // M v_m from p0 and F.
  Vector middle_momentum(double h) const {
    const Chart& chart = plant_.chart();
    const Vector x = h * v_, back = -h / 2 * v_;
    Vector p = force_, pushed = force_;
    chart.transposed_adjoint(back.data(), p.data());
    p = p0_ + h * p;
    chart.transposed_dexp(x.data(), p.data());
    chart.transposed_dexp(back.data(), pushed.data());
    return p - h / 2 * pushed;
  }

  int n_;
  std::vector<double> q_;
  Matrix M_, C_;
  Eigen::LLT<Matrix> factors_;
  Vector p0_, p_, v_, half_, force_, g_, a_, tau_, taken_;
};

}  // namespace

std::unique_ptr<Integrator> make_symplectic(Plant& plant) {
  return std::make_unique<Symplectic>(plant);
}

}  // namespace parid::simulation
