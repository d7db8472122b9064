#include "simulation/plant.hpp"

#include <algorithm>
#include <cmath>

namespace parid::simulation {

Plant::Plant(const Robot& robot, TorqueSource& source, bool with_friction)
    : base(robot.neutral()),
      v(robot.nv()),
      robot_(robot),
      source_(source),
      chart_(robot),
      workspace_(robot),
      n_(robot.nv()),
      q_(robot.nq()),
      tau_(n_),
      taken_(n_) {
  if (with_friction) friction_.emplace(robot);
}

void Plant::start(double* y) const {
  std::fill_n(y, n_, 0.0);
  std::copy_n(v.data(), n_, y + n_);
  y[2 * n_] = work;
  y[2 * n_ + 1] = losses;
}

void Plant::move(double to, const double* y) {
  chart_.position(base.data(), y, q_.data());
  base = q_;
  std::copy_n(y + n_, n_, v.data());
  work = y[2 * n_];
  losses = y[2 * n_ + 1];
  t = to;
}

void Plant::position(const double* y, double* q) const { chart_.position(base.data(), y, q); }

bool Plant::rate(double at, const double* y, double* dy) {
  const double* speed = y + n_;
  chart_.position(base.data(), y, q_.data());
  if (!acceleration(at, q_.data(), speed, dy + n_, tau_.data(), taken_.data())) return false;
  chart_.rate(y, speed, dy);
  double power = 0, lost = 0;
  for (int k = 0; k < n_; ++k) {
    power += tau_[k] * speed[k];
    lost += taken_[k] * speed[k];
  }
  dy[2 * n_] = power;
  dy[2 * n_ + 1] = lost;
  return std::all_of(dy, dy + size(), [](double x) { return std::isfinite(x); });
}

bool Plant::acceleration(double at, const double* q, const double* speed, double* a, double* tau,
                         double* taken) {
  ++evaluations;
  const auto nq = static_cast<std::size_t>(robot_.nq()), nv = static_cast<std::size_t>(n_);
  const std::span<const double> Q(q, nq), V(speed, nv);
  const std::span<double> A(a, nv), T(tau, nv);
  source_.torque(at, Q, V, T);
  if (friction_) return friction_->acceleration(Q, V, T, A, {taken, nv});
  std::fill_n(taken, n_, 0.0);
  forward_dynamics(robot_, workspace_, Q, V, T, A);
  return true;
}

}  // namespace parid::simulation
