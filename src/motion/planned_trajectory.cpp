#include "motion/planned_trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "motion/named_motions.hpp"
#include "motion/path/joint_path.hpp"
#include "motion/scaling/time_scaling.hpp"

namespace parid {
namespace {

void require_size(const char* name, std::size_t found, int wanted) {
  if (found != static_cast<std::size_t>(wanted))
    throw std::invalid_argument(
        fmt::format("{}: {} numbers; the robot has {}", name, found, wanted));
}

void require_positive(const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("{}: {}; it must be finite and above zero", name, value));
}

void require_way(const Robot& robot, const std::vector<std::vector<double>>& poses,
                 const std::vector<double>& times) {
  if (poses.size() < 2) throw std::invalid_argument("poses: at least two are needed");
  for (const std::vector<double>& q : poses) require_size("poses", q.size(), robot.nq());
  if (times.size() != poses.size())
    throw std::invalid_argument(
        fmt::format("times: {} for {} poses; one per pose is needed", times.size(), poses.size()));
  if (times.front() != 0) throw std::invalid_argument("times: the first must be 0");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1]) || !std::isfinite(times[k]))
      throw std::invalid_argument(fmt::format("times[{}]: {}; times must rise", k, times[k]));
}

}  // namespace

PlannedTrajectory::PlannedTrajectory(std::shared_ptr<const Body> body) : body_(std::move(body)) {}

PlannedTrajectory PlannedTrajectory::line(const Robot& robot, const std::vector<double>& from,
                                          const std::vector<double>& to, double duration) {
  require_size("from", from.size(), robot.nq());
  require_size("to", to.size(), robot.nq());
  require_positive("duration", duration);
  return PlannedTrajectory(
      std::make_shared<Body>(Body{robot, motion::timed(motion::joint_line(robot, from, to),
                                                       motion::Profile::minimum_jerk(duration))}));
}

PlannedTrajectory PlannedTrajectory::spline(const Robot& robot,
                                            const std::vector<std::vector<double>>& poses,
                                            const std::vector<double>& times, SplineKind kind) {
  require_way(robot, poses, times);
  const motion::Smoothness smoothness =
      kind == SplineKind::cubic ? motion::Smoothness::cubic : motion::Smoothness::minimum_jerk;
  return PlannedTrajectory(
      std::make_shared<Body>(Body{robot, motion::joint_spline(robot, poses, times, smoothness)}));
}

PlannedTrajectory PlannedTrajectory::blends(const Robot& robot,
                                            const std::vector<std::vector<double>>& poses,
                                            const std::vector<double>& times, double blend) {
  require_way(robot, poses, times);
  require_positive("blend", blend);
  return PlannedTrajectory(
      std::make_shared<Body>(Body{robot, motion::joint_blends(robot, poses, times, blend)}));
}

PlannedTrajectory PlannedTrajectory::hold(const Robot& robot, const std::vector<double>& q,
                                          double duration) {
  require_size("q", q.size(), robot.nq());
  require_positive("duration", duration);
  return PlannedTrajectory(std::make_shared<Body>(Body{robot, motion::standing(q, duration)}));
}

PlannedTrajectory PlannedTrajectory::sequence(const std::vector<PlannedTrajectory>& parts) {
  if (parts.empty()) throw std::invalid_argument("sequence: at least one trajectory is needed");
  std::vector<motion::TrajectoryPointer> inside;
  const Robot& robot = parts.front().body_->robot;
  for (const PlannedTrajectory& part : parts) {
    if (part.body_->robot.nq() != robot.nq() || part.body_->robot.nv() != robot.nv())
      throw std::invalid_argument("sequence: the trajectories are of different robots");
    inside.push_back(part.body_->trajectory);
  }
  return PlannedTrajectory(
      std::make_shared<Body>(Body{robot, motion::sequence(std::move(inside))}));
}

PlannedTrajectory PlannedTrajectory::named(const Robot& robot, const std::string& name) {
  return PlannedTrajectory(
      std::make_shared<Body>(Body{robot, motion::named_motion(name).trajectory(robot)}));
}

double PlannedTrajectory::duration() const { return body_->trajectory->duration(); }

void PlannedTrajectory::at(double t, std::span<double> q, std::span<double> v,
                           std::span<double> a) const {
  require_size("q", q.size(), body_->robot.nq());
  require_size("v", v.size(), body_->robot.nv());
  require_size("a", a.size(), body_->robot.nv());
  if (!(t >= 0 && t <= duration()))
    throw std::invalid_argument(
        fmt::format("t: {}; the trajectory is from 0 to {} s", t, duration()));
  body_->trajectory->at(t, q, v, a);
}

void PlannedTrajectory::higher(double t, std::span<double> jerk, std::span<double> snap) const {
  require_size("jerk", jerk.size(), body_->robot.nv());
  require_size("snap", snap.size(), body_->robot.nv());
  if (!(t >= 0 && t <= duration()))
    throw std::invalid_argument(
        fmt::format("t: {}; the trajectory is from 0 to {} s", t, duration()));
  body_->trajectory->higher(t, jerk, snap);
}

SampledTrajectory PlannedTrajectory::sampled(double rate) const {
  require_positive("rate", rate);
  return motion::sampled(body_->robot, *body_->trajectory, rate);
}

SampledTrajectory PlannedTrajectory::sampled_by_parts(double rate) const {
  require_positive("rate", rate);
  return motion::sampled_by_parts(body_->robot, *body_->trajectory, rate);
}

RetimedTrajectory retime(const Robot& robot, const SampledTrajectory& trajectory,
                         const TorqueFunction& torques, Retiming how) {
  motion::TimeScaling found =
      how == Retiming::optimal
          ? motion::scaled_optimally(robot, trajectory, torques)
          : motion::scaled_uniformly(robot, trajectory, torques, how == Retiming::slower_only);
  RetimedTrajectory result{std::move(found.motion), found.factor, {}};
  for (const motion::TimeScaling::Binding& b : found.binding)
    result.binding.push_back({b.coordinate, b.kind, b.row, b.rows});
  return result;
}

}  // namespace parid
