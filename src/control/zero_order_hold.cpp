#include "control/zero_order_hold.hpp"

#include <algorithm>
#include <cmath>

#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"

namespace parid::control {

ZeroOrderHold::ZeroOrderHold(const Robot& robot, double period, double step)
    : ZeroOrderHold(robot, period, step, std::nullopt) {}

ZeroOrderHold::ZeroOrderHold(const Robot& robot, double period, double step,
                             std::span<const double> pose, bool measure_links)
    : ZeroOrderHold(robot.with_motors(), period,
                    std::min(step, 0.1 / ElasticDynamics(robot).frequencies(pose).back()),
                    simulation::Springs(robot, measure_links)) {
  const std::vector<ElasticJoint>& joints = springs_->joints();
  std::copy(pose.begin(), pose.end(), q.begin());
  ElasticDynamics(robot).resting_motors(pose, std::span(q).subspan(pose.size()));
  offset_.resize(static_cast<std::size_t>(robot.nv()));
  for (std::size_t e = 0; e < joints.size() && !measure_links; ++e)
    offset_[static_cast<std::size_t>(joints[e].velocity)] =
        q[pose.size() + e] - pose[static_cast<std::size_t>(joints[e].position)];
}

void ZeroOrderHold::measure(double* position, double* velocity) const {
  if (springs_) return springs_->measure(q.data(), v.data(), position, velocity);
  std::copy(q.begin(), q.end(), position);
  std::copy(v.begin(), v.end(), velocity);
}

ZeroOrderHold::ZeroOrderHold(const Robot& robot, double period, double step,
                             std::optional<simulation::Springs> springs)
    : q(robot.neutral()),
      v(static_cast<std::size_t>(robot.nv())),
      robot_(robot),
      workspace_(robot),
      springs_(std::move(springs)),
      steps_(std::max(1, static_cast<int>(std::ceil(period / step)))),
      h_(period / steps_),
      mid_q_(v.size()),
      mid_v_(v.size()) {
  for (auto& a : a_) a.resize(v.size());
  spread_.resize(v.size());
}

void ZeroOrderHold::advance(const std::vector<double>& tau) {
  for (int s = 0; s < steps_; ++s) {
    stage(0, 0, tau);
    stage(1, h_ / 2, tau);
    stage(2, h_ / 2, tau);
    stage(3, h_, tau);
    for (std::size_t i = 0; i < v.size(); ++i) {
      q[i] += h_ * (v[i] + h_ / 6 * (a_[0][i] + a_[1][i] + a_[2][i]));
      v[i] += h_ / 6 * (a_[0][i] + 2 * (a_[1][i] + a_[2][i]) + a_[3][i]);
    }
  }
}

// The velocities of a stage follow from the accelerations of the previous stage, its positions from
// the velocities of that stage.
void ZeroOrderHold::stage(std::size_t which, double h, const std::vector<double>& tau) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double before = which < 2 ? v[i] : v[i] + h_ / 2 * a_[which - 2][i];
    mid_q_[i] = q[i] + h * before;
    mid_v_[i] = which == 0 ? v[i] : v[i] + h * a_[which - 1][i];
  }
  if (!springs_) return forward_dynamics(robot_, workspace_, mid_q_, mid_v_, tau, a_[which]);
  springs_->spread(mid_q_.data(), mid_v_.data(), tau.data(), spread_.data());
  forward_dynamics(robot_, workspace_, mid_q_, mid_v_, spread_, a_[which]);
}

}  // namespace parid::control
