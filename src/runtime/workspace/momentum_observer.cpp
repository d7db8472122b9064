#include "parid/momentum_observer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

struct MomentumObserver::Parts {
  Robot robot;
  double gain;
  Workspace workspace;
  std::size_t n;
  std::vector<double> M, C, g, momentum, expected, last_rate, rate, estimate;

  Parts(const Robot& r, double k)
      : robot(r),
        gain(k),
        workspace(r),
        n(static_cast<std::size_t>(r.nv())),
        M(n * n),
        C(n * n),
        g(n),
        momentum(n),
        expected(n),
        last_rate(n),
        rate(n),
        estimate(n) {}

  // Computes M v, and Cᵀ v − g.
  void look(std::span<const double> q, std::span<const double> v) {
    mass_matrix(robot, workspace, q, M);
    coriolis_matrix(robot, workspace, q, v, C);
    gravity(robot, workspace, q, g);
    for (std::size_t i = 0; i < n; ++i) {
      momentum[i] = 0;
      rate[i] = -g[i];
      for (std::size_t k = 0; k < n; ++k) {
        momentum[i] += M[i * n + k] * v[k];
        rate[i] += C[k * n + i] * v[k];
      }
    }
  }
};

MomentumObserver::MomentumObserver(const Robot& robot, double gain) {
  if (!(gain > 0) || !std::isfinite(gain))
    throw Error(fmt::format(
        "MomentumObserver: the gain is {}; give a positive rate in 1/s, such as 50", gain));
  parts_ = std::make_unique<Parts>(robot, gain);
  const std::vector<double> still(robot.nv());
  reset(robot.neutral(), still);
}
MomentumObserver::MomentumObserver(MomentumObserver&&) noexcept = default;
MomentumObserver& MomentumObserver::operator=(MomentumObserver&&) noexcept = default;
MomentumObserver::~MomentumObserver() = default;

void MomentumObserver::reset(std::span<const double> q, std::span<const double> v) {
  Parts& p = *parts_;
  p.look(q, v);
  p.expected = p.momentum;
  p.last_rate = p.rate;
  p.estimate.assign(p.n, 0);
}

std::span<const double> MomentumObserver::update(double dt, std::span<const double> q,
                                                 std::span<const double> v,
                                                 std::span<const double> tau) {
  Parts& p = *parts_;
  if (tau.size() != p.n)
    throw std::invalid_argument(fmt::format("MomentumObserver: tau has {} numbers; '{}' needs {}",
                                            tau.size(), p.robot.name(), p.n));
  if (!(dt >= 0) || !std::isfinite(dt))
    throw Error(fmt::format("MomentumObserver: dt is {} s; give the time since the last call", dt));
  p.look(q, v);
  // Trapezoidal integration, with r at the end of the step: stable for every gain · dt.
  for (std::size_t i = 0; i < p.n; ++i) {
    p.expected[i] += dt * (tau[i] + (p.last_rate[i] + p.rate[i]) / 2);
    p.estimate[i] = p.gain * (p.momentum[i] - p.expected[i]) / (1 + p.gain * dt);
    p.expected[i] += dt * p.estimate[i];
  }
  p.last_rate = p.rate;
  return p.estimate;
}

std::span<const double> MomentumObserver::estimate() const { return parts_->estimate; }

}  // namespace parid
