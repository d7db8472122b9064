#include "simulation/plant.hpp"

#include <algorithm>
#include <cmath>

namespace parid::simulation {

Plant::Plant(const Robot& robot, TorqueSource& source, bool with_friction,
             std::optional<Springs> springs)
    : base(robot.neutral()),
      v(robot.nv()),
      robot_(robot),
      source_(source),
      chart_(robot),
      workspace_(robot),
      springs_(std::move(springs)),
      n_(robot.nv()),
      q_(robot.nq()),
      tau_(n_),
      taken_(n_) {
  if (with_friction) friction_.emplace(robot);
  if (!springs_) return;
  read_q_.resize(static_cast<std::size_t>(springs_->nq()));
  read_v_.resize(static_cast<std::size_t>(springs_->nv()));
  applied_.resize(read_v_.size());
  loads_.resize(v.size());
}

void Plant::begin() {
  if (!springs_) return source_.begin(t, base, v);
  springs_->measure(base.data(), v.data(), read_q_.data(), read_v_.data());
  source_.set_links(std::span(base).first(read_q_.size()), std::span(v).first(read_v_.size()));
  source_.begin(t, read_q_, read_v_);
}

void Plant::torque(double at, const double* q, const double* speed, double* tau) {
  if (!springs_)
    return source_.torque(at, {q, static_cast<std::size_t>(robot_.nq())},
                          {speed, static_cast<std::size_t>(n_)},
                          {tau, static_cast<std::size_t>(n_)});
  springs_->measure(q, speed, read_q_.data(), read_v_.data());
  source_.torque(at, read_q_, read_v_, applied_);
  springs_->spread(q, speed, applied_.data(), tau);
  if (!friction_) return;
  for (int e = 0; e < springs_->size(); ++e)
    loads_[static_cast<std::size_t>(springs_->nv() + e)] = springs_->torque(e, q, speed);
  friction_->set_drive_loads(loads_);
}

double Plant::power(const double* tau, const double* speed) const {
  if (springs_) return springs_->power(tau, speed);
  double sum = 0;
  for (int k = 0; k < n_; ++k) sum += tau[k] * speed[k];
  return sum;
}

double Plant::lost_power(const double* taken, const double* speed) const {
  double sum = 0;
  for (int k = 0; k < n_; ++k) sum += taken[k] * speed[k];
  return springs_ ? sum + springs_->lost_power(speed) : sum;
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
  dy[2 * n_] = power(tau_.data(), speed);
  dy[2 * n_ + 1] = lost_power(taken_.data(), speed);
  return std::all_of(dy, dy + size(), [](double x) { return std::isfinite(x); });
}

bool Plant::acceleration(double at, const double* q, const double* speed, double* a, double* tau,
                         double* taken) {
  ++evaluations;
  const auto nq = static_cast<std::size_t>(robot_.nq()), nv = static_cast<std::size_t>(n_);
  const std::span<const double> Q(q, nq), V(speed, nv);
  const std::span<double> A(a, nv), T(tau, nv);
  torque(at, q, speed, tau);
  if (friction_) return friction_->acceleration(Q, V, T, A, {taken, nv});
  std::fill_n(taken, n_, 0.0);
  forward_dynamics(robot_, workspace_, Q, V, T, A);
  return true;
}

}  // namespace parid::simulation
