#include "motion/sampling_rate.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "math/dense.hpp"
#include "model/given_values.hpp"
#include "model/joint/coordinates.hpp"
#include "model/sampling_rule.hpp"
#include "motion/scaling/limit_binding.hpp"
#include "parid/engine.hpp"

namespace parid::motion {
namespace {

using Eigen::MatrixXd;

struct PlainCoordinate {
  int position, velocity;
};

std::vector<PlainCoordinate> plain_coordinates(const Robot& robot) {
  std::vector<PlainCoordinate> all;
  int p = 0, l = 0;
  for (const JointDescription& j : robot.description().joints) {
    for (int k = 0; k < velocity_count(j) && position_count(j) == velocity_count(j); ++k)
      all.push_back({p + k, l + k});
    p += position_count(j);
    l += velocity_count(j);
  }
  return all;
}

// The mass matrix and the gravity stiffness at one pose, from torques at rest: with unit
// accelerations, and at poses slightly to either side.
struct AtPose {
  MatrixXd mass, gravity;
};
AtPose at_pose(const Robot& robot, const double* q, const std::vector<PlainCoordinate>& plain,
               const TorquesAlong& torques) {
  const std::size_t nq = robot.nq(), nv = robot.nv(), n = plain.size();
  constexpr double aside = 1e-5;
  SampledTrajectory m;
  m.rows = 1 + 3 * n;
  for (std::size_t r = 0; r < m.rows; ++r) m.q.insert(m.q.end(), q, q + nq);
  m.v.assign(m.rows * nv, 0.0);
  m.a.assign(m.rows * nv, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    m.a[(1 + k) * nv + plain[k].velocity] = 1;
    m.q[(1 + n + k) * nq + plain[k].position] += aside;
    m.q[(1 + 2 * n + k) * nq + plain[k].position] -= aside;
  }
  const std::vector<double> tau = torques(m);
  AtPose out{MatrixXd(n, n), MatrixXd(n, n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      auto at = [&](std::size_t row) { return tau[row * nv + plain[i].velocity]; };
      out.mass(i, k) = at(1 + k) - at(0);
      out.gravity(i, k) = (at(1 + n + k) - at(1 + 2 * n + k)) / (2 * aside);
    }
  return out;
}

double hertz(double omega_squared) {
  return std::sqrt(std::abs(omega_squared)) / (2 * std::numbers::pi);
}
double highest(const MatrixXd& mass, const MatrixXd& stiffness) {
  const Eigen::VectorXcd values = complex_eigenvalues(solve_symmetric(mass, stiffness));
  double most = 0;
  for (const auto& value : values) most = std::max(most, std::abs(value));
  return hertz(most);
}

}  // namespace

std::optional<SamplingAdvice> sampling_advice(const Robot& robot, const SampledTrajectory& m,
                                              const TorquesAlong& torques,
                                              const SamplingOptions& options) {
  require_above_zero("full_torque_at", options.full_torque_at, "0.05");
  if (options.stiffness) require_above_zero("stiffness", *options.stiffness, "1000");
  const std::vector<PlainCoordinate> plain = plain_coordinates(robot);
  if (robot.nv() > 64 || plain.empty() || m.rows == 0) return {};
  const DriveLimits limits = drive_limits(robot);
  MatrixXd servo = MatrixXd::Zero(plain.size(), plain.size());
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double effort = limits.effort[plain[k].velocity];
    servo(k, k) =
        options.stiffness.value_or(std::isfinite(effort) ? effort / options.full_torque_at : 0);
  }
  SamplingAdvice advice;
  const auto poses = std::min<std::size_t>(options.poses, m.rows);
  for (std::size_t i = 0; i < poses; ++i) {
    const std::size_t row = poses > 1 ? i * (m.rows - 1) / (poses - 1) : 0;
    const AtPose here = at_pose(robot, &m.q[row * robot.nq()], plain, torques);
    advice.servo = std::max(advice.servo, highest(here.mass, servo));
    advice.gravity = std::max(advice.gravity, highest(here.mass, here.gravity));
  }
  const std::size_t nv = robot.nv();
  for (std::size_t k = 0; k < nv; ++k) {
    double v = 0, a = 0;
    for (std::size_t r = 0; r < m.rows; ++r) {
      v = std::max(v, std::abs(m.v[r * nv + k]));
      a = std::max(a, std::abs(m.a[r * nv + k]));
    }
    if (v > 1e-9) advice.motion = std::max(advice.motion, a / v / (2 * std::numbers::pi));
  }
  return advice;
}

}  // namespace parid::motion

namespace parid {

double SamplingAdvice::natural_frequency() const { return std::max({servo, gravity, motion}); }
double SamplingAdvice::rate() const {
  return model::samples_per_natural_period * natural_frequency();
}

std::optional<SamplingAdvice> sampling_advice(const Robot& robot, const SampledTrajectory& m,
                                              const SamplingOptions& options) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  if (m.q.size() != m.rows * nq || m.v.size() != m.rows * nv || m.a.size() != m.rows * nv)
    throw std::invalid_argument("sampling_advice: q, v and a must have nq, nv and nv columns");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  const auto torques = [&](const SampledTrajectory& some) {
    std::vector<double> tau(some.rows * nv);
    engine.inverse_dynamics(some.rows, some.q, some.v, some.a, tau);
    return tau;
  };
  return motion::sampling_advice(robot, m, torques, options);
}

}  // namespace parid
