#include "cli/input/torque_evaluation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/threads/thread_pool.hpp"
#include "cli/output/terminal.hpp"
#include "lookup/methods.hpp"
#include "motion/scaling/limit_binding.hpp"
#include "papers/shared/as_printed.hpp"
#include "parid/device.hpp"
#include "parid/elastic.hpp"
#include "parid/engine.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/specialized_program.hpp"

namespace parid::cli {
namespace {

KernelKind asked_kernel(const TorqueOptions& o, std::size_t rows) {
  if (o.friction || o.kernel == "generic") return KernelKind::generic;
  for (const KernelKind k : {KernelKind::interpreted, KernelKind::machine, KernelKind::compiled})
    if (o.kernel == name(k)) return k;
  return default_kernel(rows);
}

// With the engine, in parts of the motion so that progress can be shown.
void by_engine(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
               const SampledTrajectory& m, Torques& to, Progress& progress) {
  const KernelKind kernel = asked_kernel(o, m.rows);
  Engine engine(robot, {.threads = o.threads, .kernel = kernel});
  if (!engine.note().empty())
    note("note: using the {} kernel instead: {}", name(engine.kernel()), engine.note());
  engine.set_external_loads(around);
  const std::size_t nq = robot.nq(), nv = robot.nv(), part = 1 << 16;
  for (std::size_t r = 0; r < m.rows; r += part) {
    const std::size_t n = std::min(part, m.rows - r);
    const auto q = std::span(m.q).subspan(r * nq, n * nq);
    const auto v = std::span(m.v).subspan(r * nv, n * nv),
               a = std::span(m.a).subspan(r * nv, n * nv);
    auto rows = [&](std::vector<double>& x) { return std::span(x).subspan(r * nv, n * nv); };
    if (o.friction)
      engine.inverse_dynamics_with_friction(
          n, q, v, a, {rows(to.rigid), rows(to.bearing), rows(to.drive), rows(to.tau)});
    else
      engine.inverse_dynamics(n, q, v, a, rows(to.tau));
    progress.at(static_cast<double>(r + n) / static_cast<double>(m.rows));
  }
}

// In the engine's parts too.
void by_device(const TorqueOptions& o, const Robot& robot, const SampledTrajectory& m, Torques& to,
               Progress& progress) {
  DeviceEngine engine(robot, {.device = *o.device});
  to.device = engine.device().name;
  const std::size_t nq = robot.nq(), nv = robot.nv(), part = 1 << 16;
  for (std::size_t r = 0; r < m.rows; r += part) {
    const std::size_t n = std::min(part, m.rows - r);
    engine.inverse_dynamics(
        n, std::span(m.q).subspan(r * nq, n * nq), std::span(m.v).subspan(r * nv, n * nv),
        std::span(m.a).subspan(r * nv, n * nv), std::span(to.tau).subspan(r * nv, n * nv));
    progress.at(static_cast<double>(r + n) / static_cast<double>(m.rows));
  }
}

// Row by row, to compare methods. Friction uses the engine's exact torques.
void by_method(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
               const SampledTrajectory& m, Torques& to, Progress& progress) {
  if (o.friction) by_engine(o, robot, around, m, to, progress);
  const std::unique_ptr<Method> chosen =
      make_method(method(o.method), robot, around, {.processors = o.processors.value_or(0)});
  const std::size_t nq = robot.nq(), nv = robot.nv();
  std::vector<double>& rigid = o.friction ? to.rigid : to.tau;
  for (std::size_t r = 0; r < m.rows; ++r) {
    chosen->torque(&m.q[r * nq], &m.v[r * nv], &m.a[r * nv], &rigid[r * nv]);
    if (r % 1024 == 0) progress.at(static_cast<double>(r) / static_cast<double>(m.rows));
  }
  for (std::size_t k = 0; k < to.rigid.size(); ++k)
    to.tau[k] = to.rigid[k] + to.bearing[k] + to.drive[k];
}

// With the fastest kernel. With enough samples, samples fill the lanes better than links do; for
// one or a few samples of a long chain, links fill the lanes.
void by_the_quickest(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
                     const SampledTrajectory& m, Torques& to, Progress& progress) {
  const int threads = o.threads > 0 ? o.threads : available_cores();
  const ChainChoice choice = chain_choice(robot.canonical(), threads);
  const bool few = m.rows < static_cast<std::size_t>(choice.lanes) / 2;
  if (choice.lanes == 1 || !few || o.friction) {
    to.taken = std::string(engines_method) +
               (m.rows > 1 ? ", samples in SIMD lanes" : ", serially over links");
    return by_engine(o, robot, around, m, to, progress);
  }
  to.taken = fmt::format("{}, links in parallel: a scan over {}", engines_method, choice.text());
  const auto kernel = single_kernel(robot.canonical(), threads);
  kernel->set_base_motion(around.base);
  kernel->set_external(around.external);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  for (std::size_t r = 0; r < m.rows; ++r)
    kernel->inverse_dynamics(&m.q[r * nq], &m.v[r * nv], &m.a[r * nv], &to.tau[r * nv], 1);
}

void as_printed(const Robot& robot, const SampledTrajectory& m, Torques& to) {
  const CaseStudyAsPrinted study(robot);
  for (std::size_t r = 0; r < m.rows; ++r) {
    auto row = [r](auto& x) { return std::span(x).subspan(3 * r, 3); };
    study.torques(row(m.q), row(m.v), row(m.a),
                  {row(to.rigid), row(to.bearing), row(to.drive), row(to.tau)});
  }
}

}  // namespace

std::string place(const SampledTrajectory& m, std::size_t row) { return said_of_row(m, row); }

namespace {

void require_finite_torques(const Robot& robot, const SampledTrajectory& m,
                            const std::vector<double>& tau) {
  const std::size_t nv = robot.nv();
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (!std::isfinite(tau[k]))
      throw Error(
          fmt::format("{}: the torque of '{}' exceeds the range of a double; check the motion, the "
                      "robot and the external loads for values that are too large",
                      place(m, k / nv), robot.velocity_names()[k % nv]));
}

}  // namespace

Torques elastic_torques(const TorqueOptions& o, const Robot& robot, const SampledTrajectory& m,
                        const HigherDerivatives& higher) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  ElasticDynamics elastic(robot);
  const std::vector<ElasticJoint>& joints = elastic.joints();
  Torques to;
  to.tau.resize(m.rows * nv);
  std::vector<double> theta(m.rows * joints.size()), theta_a(theta);
  elastic.along(m.t, m.q, m.v, m.a, higher.jerk, higher.snap, to.tau, {theta, {}, theta_a},
                o.friction);
  to.link.resize(to.tau.size());
  to.deflection.resize(to.tau.size());
  std::vector<double> rate(nv), rate2(nv);
  for (std::size_t r = 0; r < m.rows; ++r) {
    const auto row = [&](const std::vector<double>& x) { return std::span(x).subspan(r * nv, nv); };
    elastic.link_torques(std::span(m.q).subspan(r * nq, nq), row(m.v), row(m.a), row(higher.jerk),
                         row(higher.snap), std::span(to.link).subspan(r * nv, nv), rate, rate2,
                         o.friction);
    for (std::size_t e = 0; e < joints.size(); ++e)
      to.deflection[r * nv + static_cast<std::size_t>(joints[e].velocity)] =
          theta[r * joints.size() + e] - m.q[r * nq + static_cast<std::size_t>(joints[e].position)];
  }
  require_finite_torques(robot, m, to.tau);
  return to;
}

Torques asked_torques(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
                      const SampledTrajectory& m) {
  Progress progress("torques");
  const std::size_t nv = robot.nv();
  Torques to;
  to.tau.resize(m.rows * nv);
  if (o.friction) {
    to.rigid.resize(m.rows * nv);
    to.bearing.resize(m.rows * nv);
    to.drive.resize(m.rows * nv);
  }
  if (o.device)
    by_device(o, robot, m, to, progress);
  else if (o.as_printed)
    as_printed(robot, m, to);
  else if (o.method == quickest_method)
    by_the_quickest(o, robot, around, m, to, progress);
  else if (o.method == engines_method)
    by_engine(o, robot, around, m, to, progress);
  else
    by_method(o, robot, around, m, to, progress);
  require_finite_torques(robot, m, to.tau);
  return to;
}

}  // namespace parid::cli
