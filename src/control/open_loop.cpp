#include "control/open_loop.hpp"

#include <algorithm>
#include <cmath>

#include "control/law.hpp"
#include "parid/dynamics.hpp"

namespace parid::control {

TorqueErrors open_loop_errors(const Robot& robot, const Policy& policy,
                              const Trajectory& trajectory, double period) {
  demand_single_freedoms(robot);
  const auto n = static_cast<std::size_t>(robot.nv());
  const std::vector<double> none(n);
  StaleLaw<double> law(robot.canonical(), LawKind::computed_torque, {none, none});
  law.set_policy(policy);
  Workspace workspace(robot);
  TorqueErrors e{none, none, none};
  Desired now{none, none, none}, next = now;
  std::vector<double> tau(n), right(n);
  const auto periods = static_cast<long>(std::floor(trajectory.duration() / period * (1 + 1e-12)));
  // The law starts from rest; the effect of that start ends after this many periods.
  const long forgotten =
      std::min<long>((2 * robot.nv() + 3) * policy.depth() + policy.delay + 4, periods / 4);
  for (long k = 0; k <= periods; ++k) {
    const double t = period * static_cast<double>(k), end = trajectory.duration();
    trajectory.at(std::min(t, end), now.q, now.v, now.a);
    trajectory.at(std::min(t + period, end), next.q, next.v, next.a);
    if (k == 0) law.start(now, next, now.q.data(), now.v.data(), tau.data());
    law.step(now, next, now.q.data(), now.v.data(), tau.data());
    inverse_dynamics(robot, workspace, now.q, now.v, now.a, right);
    for (std::size_t i = 0; i < n && k >= forgotten; ++i) {
      const double off = std::abs(tau[i] - right[i]);
      e.largest[i] = std::max(e.largest[i], off);
      e.rms[i] += off * off;
      e.scale[i] = std::max(e.scale[i], std::abs(right[i]));
    }
  }
  for (double& x : e.rms) x = std::sqrt(x / static_cast<double>(periods - forgotten + 1));
  return e;
}

}  // namespace parid::control
