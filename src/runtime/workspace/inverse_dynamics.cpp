#include "parid/inverse_dynamics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/threads/thread_pool.hpp"
#include "parid/dynamics.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/layer.hpp"
#include "runtime/workspace/workspace_parts.hpp"

namespace parid {
using namespace runtime;

Workspace::Workspace(const Robot& robot, const WorkspaceOptions& options)
    : parts_(new Parts(robot, thread_count(options.threads))) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

namespace {
// A program larger than the first-level instruction cache stalls on instruction fetches: inverse
// dynamics of chain:64, with 13 000 nodes, took four times the generic kernel's time, a humanoid's
// 3500 less than half. Generic kernels of other quantities are slower than that.
std::size_t most_operations_of_one(Quantity which) {
  switch (which) {
    case Quantity::inverse_dynamics:
    case Quantity::bias:
    case Quantity::gravity: return 6000;
    default: return compiled_operations_limit;
  }
}
}  // namespace

bool Workspace::compile() { return compile(Quantity::inverse_dynamics); }

bool Workspace::compile(Quantity which, const std::string& link) {
  const QuantityInfo& about = info(which);
  if (!about.batched)
    throw std::invalid_argument(
        fmt::format("Workspace::compile: '{}' has no kernel for one sample", about.name));
  parts_->note.clear();
  const Robot& robot = parts_->robot;
  robot.require_defined(which);
  std::string of;
  int index = -1;
  if (about.needs_link) {
    of = link.empty() ? robot.tip() : link;
    index = robot.find_link(of);
  }
  if (const auto there = parts_->specialized.find(which);
      there != parts_->specialized.end() && there->second.link == index)
    return true;
  SpecializedSource source(robot, which, of);
  std::unique_ptr<ProgramKernel<double>> kernel =
      compiled_kernel<double>(source, parts_->note, most_operations_of_one(which));
  if (!kernel) return false;
  if (which == Quantity::energy) {
    const std::vector<double> q = robot.neutral();
    parts_->mass = energy(robot, *this, q, parts_->zero).mass;
  }
  parts_->specialized[which] = {std::move(kernel), index};
  parts_->choose_specialized();
  return true;
}

bool Workspace::compiled() const { return compiled(Quantity::inverse_dynamics); }
bool Workspace::compiled(Quantity which) const { return parts_->specialized.contains(which); }
const std::string& Workspace::note() const { return parts_->note; }

const Robot& Workspace::robot() const { return parts_->robot; }
std::string Workspace::arrangement() const { return parts_->choice.text(); }

void Workspace::set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                                const std::array<double, 3>& vd) {
  parts_->external_loads.set_base_motion(parts_->robot, w, wd, vd);
  parts_->external_loads_changed();
}
void Workspace::set_wrench(const std::string& link, const std::array<double, 3>& force,
                           const std::array<double, 3>& moment) {
  parts_->external_loads.add_wrench(parts_->robot, link, force, moment);
  parts_->external_loads_changed();
}
void Workspace::clear_wrenches() {
  parts_->external_loads.clear_wrenches();
  parts_->external_loads_changed();
}

namespace {

template <class Real>
void require_sizes(const Robot& robot, Workspace& workspace, std::span<const Real> q,
                   std::span<const Real> v, std::span<const Real> a, std::span<Real> tau) {
  const CanonicalModel& c = robot.canonical();
  const auto nq = static_cast<std::size_t>(c.nq), nv = static_cast<std::size_t>(c.nv);
  if (q.size() != nq || v.size() != nv || a.size() != nv || tau.size() != nv) [[unlikely]]
    throw std::invalid_argument(fmt::format(
        "inverse_dynamics: q, v, a, tau have {}, {}, {}, {} numbers; '{}' needs {}, {}, {}, {}",
        q.size(), v.size(), a.size(), tau.size(), robot.name(), nq, nv, nv, nv));
  if (&c != workspace.parts().canonical) [[unlikely]]
    throw std::invalid_argument(
        "inverse_dynamics: the workspace belongs to another robot; create one for this robot");
}

template <class Real>
void evaluate(const Robot& robot, Workspace& workspace, Kernel<Real>& kernel,
              std::span<const Real> q, std::span<const Real> v, std::span<const Real> a,
              std::span<Real> tau) {
  require_sizes(robot, workspace, q, v, a, tau);
  kernel.inverse_dynamics(q.data(), v.data(), a.data(), tau.data(), 1);
}

template <class Real>
void evaluate_with_friction(const Robot& robot, Workspace& workspace, Kernel<Real>& kernel,
                            std::span<const Real> q, std::span<const Real> v,
                            std::span<const Real> a, std::span<Real> tau) {
  require_sizes(robot, workspace, q, v, a, tau);
  kernel.inverse_dynamics_with_friction(q.data(), v.data(), a.data(), {tau.data()}, 1);
}

}  // namespace

void inverse_dynamics(const Robot& robot, Workspace& workspace, std::span<const double> q,
                      std::span<const double> v, std::span<const double> a, std::span<double> tau) {
  Workspace::Parts& p = workspace.parts();
  require_sizes(robot, workspace, q, v, a, tau);
  if (p.computed(Quantity::inverse_dynamics, {q.data(), v.data(), a.data()}, {tau.data()})) return;
  p.in_double->inverse_dynamics(q.data(), v.data(), a.data(), tau.data(), 1);
}
void inverse_dynamics(const Robot& robot, Workspace& workspace, std::span<const float> q,
                      std::span<const float> v, std::span<const float> a, std::span<float> tau) {
  evaluate(robot, workspace, *workspace.parts().in_float, q, v, a, tau);
}

void inverse_dynamics_with_friction(const Robot& robot, Workspace& workspace,
                                    std::span<const double> q, std::span<const double> v,
                                    std::span<const double> a, std::span<double> total) {
  evaluate_with_friction(robot, workspace, *workspace.parts().in_double, q, v, a, total);
}
void inverse_dynamics_with_friction(const Robot& robot, Workspace& workspace,
                                    std::span<const float> q, std::span<const float> v,
                                    std::span<const float> a, std::span<float> total) {
  evaluate_with_friction(robot, workspace, *workspace.parts().in_float, q, v, a, total);
}
void inverse_dynamics_with_friction(const Robot& robot, Workspace& workspace,
                                    std::span<const double> q, std::span<const double> v,
                                    std::span<const double> a, const FrictionTorques& to) {
  for (const std::span<double> part : {to.rigid, to.bearing, to.drive, to.total})
    require_sizes(robot, workspace, q, v, a, part);
  workspace.parts().in_double->inverse_dynamics_with_friction(
      q.data(), v.data(), a.data(),
      {to.total.data(), to.rigid.data(), to.bearing.data(), to.drive.data()}, 1);
}

std::string instruction_set() { return best_kernels<KernelSet>().name; }

}  // namespace parid
