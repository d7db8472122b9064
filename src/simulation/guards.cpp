#include "simulation/guards.hpp"

#include <algorithm>
#include <cmath>

#include "model/joint/coordinates.hpp"

namespace parid::simulation {
namespace {

// Tolerances for rounding: of a velocity past zero, and of a torque above static friction.
constexpr double slack = 1e-12, torn = 1e-10;

}  // namespace

Guards::Guards(Plant& plant, StopAt stop_at)
    : plant_(plant),
      watch_velocity_(stop_at == StopAt::position_or_velocity),
      q_(plant.robot().nq()),
      a_(plant.n()),
      tau_(plant.n()),
      taken_(plant.n()) {
  if (stop_at == StopAt::nothing) return;
  int p = 0, k = 0;
  for (const JointDescription& j : plant.robot().description().joints) {
    if (position_count(j) == 1) {
      const Robot::Limit& l = plant.robot().limits()[k];
      bounds_.push_back({p, k, l.lower, l.upper, watch_velocity_ ? l.velocity : INFINITY});
    }
    p += position_count(j);
    k += velocity_count(j);
  }
}

double Guards::margin(double t, const double* y) {
  const int n = plant_.n();
  double least = INFINITY;
  plant_.position(y, q_.data());
  const double* v = y + n;
  for (const Bound& b : bounds_)
    least = std::min({least, b.upper - q_[b.position], q_[b.position] - b.lower,
                      b.fastest - std::abs(v[b.velocity])});
  ForwardFriction* friction = plant_.friction();
  if (!friction) return least;
  bool sticks = false;
  for (int k = 0; k < n; ++k) {
    if (!friction->can_stick(k)) continue;
    sticks |= friction->ways()[k] == 0;
    if (friction->ways()[k] != 0) least = std::min(least, friction->ways()[k] * v[k] + slack);
  }
  if (!sticks) return least;
  if (!plant_.acceleration(t, q_.data(), v, a_.data(), tau_.data(), taken_.data())) return least;
  return std::min(least, friction->hold(q_, {v, static_cast<std::size_t>(n)}, tau_, a_) + torn);
}

bool Guards::settle() {
  ForwardFriction* friction = plant_.friction();
  if (!friction) return true;
  for (int k = 0; k < plant_.n(); ++k)
    if (friction->ways()[k] != 0 && friction->ways()[k] * plant_.v[k] <= 0) plant_.v[k] = 0;
  plant_.torque(plant_.t, plant_.base.data(), plant_.v.data(), tau_.data());
  return friction->settle(plant_.base, plant_.v, tau_, a_);
}

bool Guards::limit_hit(LimitHit& hit) const {
  const auto& names = plant_.robot().velocity_names();
  for (const Bound& b : bounds_) {
    const double q = plant_.base[b.position], v = plant_.v[b.velocity];
    if (q > b.upper || q < b.lower)
      return hit = {names[b.velocity], false, q, q > b.upper ? b.upper : b.lower}, true;
    if (std::abs(v) > b.fastest) return hit = {names[b.velocity], true, v, b.fastest}, true;
  }
  return false;
}

bool Guards::outside(const std::vector<double>& q, LimitHit& hit) const {
  for (const Bound& b : bounds_)
    if (q[b.position] > b.upper || q[b.position] < b.lower)
      return hit = {plant_.robot().velocity_names()[b.velocity], false, q[b.position],
                    q[b.position] > b.upper ? b.upper : b.lower},
             true;
  return false;
}

}  // namespace parid::simulation
