#include "identification/noise_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>

#include "model/joint/quaternions.hpp"
#include "motion/derive.hpp"
#include "motion/filter/even_times.hpp"
#include "motion/filter/spectrum.hpp"
#include "motion/filter/zero_phase.hpp"

namespace parid::identification {
namespace {

// The same numbers with every standard library: Box and Muller.
class Gaussian {
 public:
  double operator()() {
    const double u = 0x1p-53 * (static_cast<double>(rng_() >> 11) + 0.5);
    return std::sqrt(-2 * std::log(u)) *
           std::cos(2 * std::numbers::pi * 0x1p-53 * static_cast<double>(rng_() >> 11));
  }

 private:
  std::mt19937_64 rng_{20260101};
};

std::optional<double> even_rate_of(const SampledTrajectory& m) {
  if (m.t.empty() || m.rows < 64) return {};
  try {
    return even_rate(m);
  } catch (const Error&) {
    return {};
  }
}

// The motion as a second measurement of it would have been.
SampledTrajectory measured_again(const Robot& robot, const PreparedLogs::Log& log,
                                 const std::vector<double>& noise, Gaussian& gaussian) {
  SampledTrajectory m = *log.motion;
  const std::size_t nq = robot.nq();
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nq; ++k) m.q[r * nq + k] += noise[k] * gaussian();
  for_each_quaternion(robot.description(), [&](const JointDescription&, int p) {
    for (std::size_t r = 0; r < m.rows; ++r) normalise_quaternion(&m.q[r * nq + p]);
  });
  if (log.filter.kind == FilterKind::none)
    derive_motion(robot, m, false, false);
  else
    filter_motion(robot, m, {log.filter.kind, log.filter.cutoff});
  return m;
}

std::vector<double> column_of(const std::vector<double>& x, std::size_t rows, std::size_t width,
                              std::size_t k) {
  std::vector<double> y(rows);
  for (std::size_t r = 0; r < rows; ++r) y[r] = x[r * width + k];
  return y;
}

}  // namespace

std::vector<double> NoiseLevel::total() const {
  std::vector<double> all;
  for (std::size_t k = 0; k < torque.size(); ++k) all.push_back(std::hypot(torque[k], position[k]));
  return all;
}

NoiseLevel noise_level(TorqueModel& model, const PreparedLogs& logs, std::span<const double> x,
                       bool splines) {
  const Robot& robot = model.robot();
  const std::size_t nv = robot.nv(), nq = robot.nq();
  Equations equations(model, logs, 0);
  Gaussian gaussian;
  std::vector<double> by_torque(nv, 0), by_position(nv, 0);
  double rows = 0;
  for (const PreparedLogs::Log& log : logs.logs()) {
    const SampledTrajectory& m = *log.motion;
    const std::optional<double> rate = even_rate_of(m);
    if (!rate) {
      const std::vector<double> unknown(nv, std::numeric_limits<double>::quiet_NaN());
      return {unknown, unknown};
    }
    const bool filtered = log.filter.kind != FilterKind::none;
    std::optional<ZeroPhaseFilter> filter;
    if (filtered) filter.emplace(log.filter.kind, log.filter.cutoff, *rate);
    const std::vector<double> tau = equations.torques(m, x);
    const double weight = static_cast<double>(log.rows()),
                 passes = filtered ? filter->noise_gain() : 1;
    rows += weight;
    const double from =
        filtered ? std::clamp(1.5 * log.filter.cutoff, *rate / 4, 0.4 * *rate) : *rate / 4;
    for (std::size_t k = 0; k < nv; ++k) {
      std::vector<double> residual(m.rows);
      for (std::size_t r = 0; r < m.rows; ++r) residual[r] = m.tau[r * nv + k] - tau[r * nv + k];
      const double sigma = passes * white_noise(residual, *rate, from, false);
      by_torque[k] += weight * sigma * sigma;
    }
    if (!filtered && !splines) continue;
    std::vector<double> noise = log.filter.position_noise;
    for (std::size_t k = noise.size(); k < nq; ++k)
      noise.push_back(white_noise(column_of(m.q, m.rows, nq, k), *rate, *rate / 4, true));
    const std::vector<double> other =
        equations.torques(measured_again(robot, log, noise, gaussian), x);
    for (std::size_t k = 0; k < nv; ++k) {
      std::vector<double> difference(m.rows);
      for (std::size_t r = 0; r < m.rows; ++r) difference[r] = other[r * nv + k] - tau[r * nv + k];
      if (filtered) difference = filter->value(difference);
      double squares = 0;
      for (std::size_t r = log.first; r < log.end; ++r) squares += difference[r] * difference[r];
      by_position[k] += weight * squares / static_cast<double>(log.end - log.first);
    }
  }
  for (auto* part : {&by_torque, &by_position})
    for (double& squares : *part) squares = std::sqrt(squares / std::max(1.0, rows));
  return {by_torque, by_position};
}

}  // namespace parid::identification
