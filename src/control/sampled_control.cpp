// The public functions of parid/control.hpp.

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/loop.hpp"
#include "control/policy.hpp"
#include "control/stability/stability.hpp"
#include "motion/planned_trajectory.hpp"
#include "parid/control.hpp"

namespace parid {
namespace {

control::LawDesign design_of(const Robot& model, const SampledController& c,
                             std::span<const double> q) {
  return control::design(model, c.law, c.gains, control::policy(c.policy), q);
}

control::LinearLoop linear_loop(const Robot& plant, const Robot& model, std::span<const double> q,
                                const SampledController& c) {
  if (q.size() != static_cast<std::size_t>(plant.nq()))
    throw std::invalid_argument(
        fmt::format("q: {} numbers; the robot has {}", q.size(), plant.nq()));
  return control::LinearLoop(plant, design_of(model, c, q), q);
}

}  // namespace

std::vector<StalePolicyInfo> stale_policies() {
  std::vector<StalePolicyInfo> all;
  for (const control::PolicyEntry& p : control::policies()) all.push_back({p.id, p.what});
  return all;
}

ControlLoopResult run_control_loop(const Robot& plant, const Robot& model,
                                   const PlannedTrajectory& trajectory,
                                   const ControlLoopOptions& o) {
  const PlannedTrajectory::Body& body = trajectory.body();
  if (body.robot.nq() != plant.nq() || body.robot.nv() != plant.nv())
    throw std::invalid_argument("trajectory: it is of a robot with other coordinates");
  std::vector<double> q(static_cast<std::size_t>(plant.nq())),
      v(static_cast<std::size_t>(plant.nv())), a(v);
  body.trajectory->at(0, q, v, a);
  control::ControlOptions options;
  options.rate = o.rate;
  options.time = o.time;
  options.switch_at = o.switch_at;
  options.position_noise = o.position_noise;
  options.velocity_noise = o.velocity_noise;
  options.seed = o.seed;
  options.limit_torques = o.limit_torques;
  options.friction = o.friction;
  options.compensate_friction = o.compensate_friction;
  options.start_offset = o.start_offset;
  options.lost = o.divergence;
  const control::ControlLoop loop(plant, design_of(model, o.controller, q), body.trajectory,
                                  options);
  control::ControlResult found = loop.run();
  ControlLoopResult result;
  result.simulation = std::move(found.simulation);
  result.period = found.period;
  result.max_error = found.max_error;
  result.rms_error = found.rms_error;
  result.final_error = found.final_error;
  result.max_error_by_coordinate = std::move(found.max_error_by_coordinate);
  result.diverged_at = found.diverged_at;
  result.periods = found.periods;
  result.limited = found.limited;
  return result;
}

double loop_spectral_radius(const Robot& plant, const Robot& model, std::span<const double> q,
                            const SampledController& c, double period) {
  if (!(period > 0) || !std::isfinite(period))
    throw std::invalid_argument(
        fmt::format("period: {}; it must be finite and above zero", period));
  return linear_loop(plant, model, q, c).spectral_radius(period);
}

double longest_stable_period(const Robot& plant, const Robot& model, std::span<const double> q,
                             const SampledController& c) {
  return control::largest_safe_period(linear_loop(plant, model, q, c));
}

}  // namespace parid
