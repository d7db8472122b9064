// The public functions of parid/control.hpp.

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/loop.hpp"
#include "control/open_loop.hpp"
#include "control/policy.hpp"
#include "control/stability/stability.hpp"
#include "control/study/fault.hpp"
#include "control/synthesis/policy_search.hpp"
#include "control/table/flow_diagram.hpp"
#include "control/table/policy_file.hpp"
#include "motion/planned_trajectory.hpp"
#include "parid/control.hpp"
#include "parid/error.hpp"

namespace parid {
namespace {

control::LawDesign design_of(const Robot& model, const SampledController& c,
                             std::span<const double> q) {
  control::LawDesign d = control::design(model, c.law, c.gains, control::policy(c.policy), q);
  d.elastic = c.elastic;
  d.measure_links = c.measure_links;
  return d;
}

struct LoopParts {
  control::LawDesign design;
  motion::TrajectoryPointer trajectory;
  control::ControlOptions options;
};
LoopParts loop_parts(const Robot& plant, const Robot& model, const PlannedTrajectory& trajectory,
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
  return {design_of(model, o.controller, q), body.trajectory, options};
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

std::string stale_policy_table(const std::string& policy) {
  return control::policy_toml(control::policy(policy));
}

std::string stale_flow_diagram(const Robot& robot, const std::string& policy,
                               const std::string& detail, int link, bool dot) {
  const control::FlowDiagram d =
      control::flow_diagram(robot, control::policy(policy), control::flow_detail(detail),
                            link == 0 ? std::optional<int>() : std::optional<int>(link));
  return dot ? control::flow_dot(d) : control::flow_svg(d);
}

ControlLoopResult run_control_loop(const Robot& plant, const Robot& model,
                                   const PlannedTrajectory& trajectory,
                                   const ControlLoopOptions& o) {
  const LoopParts parts = loop_parts(plant, model, trajectory, o);
  const control::ControlLoop loop(plant, parts.design, parts.trajectory, parts.options);
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

PolicySearch search_stale_policy(const Robot& plant, const Robot& model,
                                 std::span<const double> poses, const PolicySearchOptions& o) {
  const auto nq = static_cast<std::size_t>(plant.nq());
  if (poses.size() < nq)
    throw Error(fmt::format("poses: {} numbers; give {} for each pose", poses.size(), nq));
  SampledController exact = o.controller;
  exact.policy = "exact";
  control::PolicyGoal goal;
  goal.steps = o.steps;
  goal.max_age = o.max_age;
  goal.every = o.every;
  goal.starts = o.starts;
  goal.seed = o.seed;
  goal.threads = o.threads;
  control::FoundPolicy found =
      control::search_policy(plant, design_of(model, exact, poses.first(nq)), poses, goal);
  const auto rated = [](const control::PolicyRating& r, std::string policy) {
    return RatedPolicy{std::move(policy), r.steps, r.period, r.by_pose};
  };
  PolicySearch result;
  result.best = rated(found.best, control::policy_toml(found.best.policy));
  result.proven = found.proven;
  result.tried = found.tried;
  for (const control::PolicyRating& r : found.published)
    result.published.push_back(rated(r, r.policy.id));
  return result;
}

StaleErrors stale_errors(const Robot& robot, const PlannedTrajectory& trajectory,
                         const std::string& quantity, const std::string& policy, double rate) {
  if (!(rate > 0) || !std::isfinite(rate))
    throw std::invalid_argument(fmt::format("rate: {}; it must be finite and above zero", rate));
  const PlannedTrajectory::Body& body = trajectory.body();
  if (body.robot.nq() != robot.nq() || body.robot.nv() != robot.nv())
    throw std::invalid_argument("trajectory: it is of a robot with other coordinates");
  const control::IkErrors e = control::stale_quantity_errors(
      control::stale_quantity(quantity), robot, control::bound(control::policy(policy), robot),
      *body.trajectory, 1 / rate);
  return {e.positions.largest, e.positions.rms, e.positions.scale, e.tip};
}

FaultReport detect_fault(const Robot& plant, const Robot& model,
                         const PlannedTrajectory& trajectory, const ControlLoopOptions& o,
                         const std::string& fault, const FaultObserver& observer) {
  const LoopParts parts = loop_parts(plant, model, trajectory, o);
  std::optional<control::Fault> asked;
  if (!fault.empty()) asked = control::parse_fault(plant, fault);
  control::FaultDetection d =
      control::detect_fault(plant, parts.design, parts.trajectory, parts.options, asked,
                            {observer.gain, observer.threshold, observer.margin});
  FaultReport r;
  r.threshold = std::move(d.threshold);
  r.detected_at = d.detected_at;
  r.delay = d.delay;
  r.coordinate = d.coordinate;
  r.outermost = d.outermost;
  r.peak = std::move(d.peak);
  r.false_alarms = d.false_alarms;
  r.max_error = d.control.max_error;
  r.diverged_at = d.control.diverged_at;
  r.t = std::move(d.t);
  r.residual = std::move(d.residual);
  return r;
}

}  // namespace parid
