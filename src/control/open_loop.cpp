#include "control/open_loop.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text/spelling.hpp"
#include "control/law.hpp"
#include "control/study/parallel_ik.hpp"
#include "control/study/stale_mass.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/kinematics.hpp"

namespace parid::control {

TorqueErrors open_loop_errors(const Robot& robot, const Policy& asked, const Trajectory& trajectory,
                              double period) {
  demand_single_freedoms(robot);
  const auto n = static_cast<std::size_t>(robot.nv());
  const std::vector<double> none(n);
  StaleLaw<double> law(robot.canonical(), LawKind::computed_torque, {none, none});
  const Policy policy = bound(asked, robot);
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

namespace {

// Rows of a study: errors of several numbers by coordinate.
void take(TorqueErrors& e, std::size_t k, double off, double scale) {
  if (!std::isfinite(off)) off = INFINITY;
  e.largest[k] = std::max(e.largest[k], std::abs(off));
  e.rms[k] += off * off;
  e.scale[k] = std::max(e.scale[k], std::abs(scale));
}
void finish(TorqueErrors& e, long count) {
  for (double& x : e.rms) x = std::sqrt(x / static_cast<double>(std::max(1L, count)));
}
long whole_periods(const Trajectory& trajectory, double period) {
  return static_cast<long>(std::floor(trajectory.duration() / period * (1 + 1e-12)));
}

}  // namespace

TorqueErrors mass_matrix_errors(const Robot& robot, const Policy& policy,
                                const Trajectory& trajectory, double period) {
  const auto nq = static_cast<std::size_t>(robot.nq()), n = static_cast<std::size_t>(robot.nv());
  const Age age = policy.age(Term::n_n);
  StaleMassMatrix<double> stale(robot.canonical(), age);
  Workspace workspace(robot);
  TorqueErrors e{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> q(nq), v(n), a(n), M(n * n), right(n * n);
  const long periods = whole_periods(trajectory, period);
  const long forgotten = std::min<long>(2 * (robot.nv() + 1) * (age.periods + 1), periods / 4);
  for (long k = 0; k <= periods; ++k) {
    trajectory.at(std::min(period * static_cast<double>(k), trajectory.duration()), q, v, a);
    if (k == 0)
      stale.start(q.data(), M.data());
    else
      stale(q.data(), M.data());
    mass_matrix(robot, workspace, q, right);
    for (std::size_t x = 0; x < n * n && k >= forgotten; ++x)
      take(e, x / n, M[x] - right[x], right[x]);
  }
  finish(e, (periods - forgotten + 1) * static_cast<long>(n));
  return e;
}

IkErrors inverse_kinematics_errors(const Robot& robot, const Policy& policy,
                                   const Trajectory& trajectory, double period) {
  const auto nq = static_cast<std::size_t>(robot.nq()), n = static_cast<std::size_t>(robot.nv());
  ParallelIk ik(robot, robot.tip(), policy.age(Term::w_w));
  IkErrors e{{std::vector<double>(nq), std::vector<double>(nq), std::vector<double>(nq)}, 0};
  std::vector<double> q(nq), v(n), a(n), first;
  const int tip = robot.find_link(robot.tip());
  const Age age = policy.age(Term::w_w);
  Kinematics kinematics(robot);
  const long periods = whole_periods(trajectory, period);
  // It starts as if the arm had stood; six joints, one after another, forget that.
  const long forgotten = std::min<long>(6 * (age.periods + 1) + 2, periods / 4);
  for (long k = 0; k <= periods; ++k) {
    trajectory.at(std::min(period * static_cast<double>(k), trajectory.duration()), q, v, a);
    if (k == 0) {
      first = q;
      ik.start(q);
    }
    kinematics.set(q);
    const LinkPose wanted = kinematics.pose(tip);
    const std::span<const double> found = ik.step(wanted);
    if (k < forgotten) continue;
    for (std::size_t x = 0; x < nq; ++x) take(e.positions, x, found[x] - q[x], q[x] - first[x]);
    kinematics.set(found);
    const LinkPose reached = kinematics.pose(tip);
    e.tip = std::max(e.tip, std::hypot(reached.position[0] - wanted.position[0],
                                       reached.position[1] - wanted.position[1],
                                       reached.position[2] - wanted.position[2]));
  }
  finish(e.positions, periods - forgotten + 1);
  return e;
}

StaleQuantity stale_quantity(const std::string& id) {
  const std::vector<std::string> names{"torque", "mass", "ik"};  // as in the enumeration
  const auto found = std::find(names.begin(), names.end(), id);
  if (found == names.end())
    throw Error(fmt::format("unknown quantity '{}'; {}choose from {}", id, did_you_mean(id, names),
                            fmt::join(names, ", ")));
  return static_cast<StaleQuantity>(found - names.begin());
}

IkErrors stale_quantity_errors(StaleQuantity which, const Robot& robot, const Policy& policy,
                               const Trajectory& trajectory, double period) {
  if (which == StaleQuantity::ik)
    return inverse_kinematics_errors(robot, policy, trajectory, period);
  if (which == StaleQuantity::mass)
    return {mass_matrix_errors(robot, policy, trajectory, period), 0};
  demand_single_freedoms(robot);
  return {open_loop_errors(robot, policy, trajectory, period), 0};
}

}  // namespace parid::control
