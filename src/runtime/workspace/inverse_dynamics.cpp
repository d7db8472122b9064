#include "parid/inverse_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/threads/thread_pool.hpp"
#include "parid/dynamics.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel_choice.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/layer.hpp"
#include "runtime/workspace/workspace_parts.hpp"

namespace parid {
using namespace runtime;

namespace runtime {

WorkspaceParts::Specialized WorkspaceParts::kernel_for_one(Quantity which, KernelKind kind,
                                                           const std::string& link) {
  SpecializedSource source(robot, which, link);
  const std::size_t most = most_operations_of_one(which);
  const std::size_t most_compiled = std::min(most, compiled_operations_limit);
  Specialized made;
  if (kind == KernelKind::automatic) {
    made = {ready_kernel<double>(source, most_compiled), KernelKind::compiled};
    if (made.kernel) return made;
  }
  if (kind == KernelKind::compiled)
    return {compiled_kernel<double>(source, note, most_compiled), KernelKind::compiled};
  const Program* program = source.program(note);
  if (!program) return made;
  if (program->graph.size() <= most)
    return {machine_kernel<double>(*program, note), KernelKind::machine};
  note = fmt::format("{} has {} operations, too many for machine code of one sample (limit {})",
                     source.about(), program->graph.size(), most);
  return made;
}

}  // namespace runtime

Workspace::Workspace(const Robot& robot, const WorkspaceOptions& options)
    : parts_(new Parts(robot, thread_count(options.threads))) {}
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

bool Workspace::compile() { return compile(Quantity::inverse_dynamics); }

bool Workspace::compile(Quantity which, const std::string& link) {
  if (compile(which, KernelKind::compiled, link)) return true;
  const std::string why = parts_->note;
  const bool done = compile(which, KernelKind::machine, link);
  parts_->note = why;
  return done;
}

bool Workspace::compile(Quantity which, KernelKind kind, const std::string& link) {
  const QuantityInfo& about = info(which);
  if (!about.batched)
    throw std::invalid_argument(
        fmt::format("Workspace::compile: '{}' has no kernel for one sample", about.name));
  if (kind == KernelKind::interpreted)
    throw std::invalid_argument("Workspace::compile: programs of one sample are not interpreted");
  parts_->note.clear();
  const Robot& robot = parts_->robot;
  robot.require_defined(which);
  std::string of;
  int index = -1;
  if (about.needs_link) {
    of = link.empty() ? robot.tip() : link;
    index = robot.find_link(of);
  }
  if (kind == KernelKind::generic) {
    parts_->specialized.erase(which);
    parts_->one[static_cast<std::size_t>(which)] = nullptr;
    return true;
  }
  if (const auto there = parts_->specialized.find(which);
      there != parts_->specialized.end() && there->second.link == index &&
      (kind == KernelKind::automatic || there->second.kind == kind))
    return true;
  WorkspaceParts::Specialized made = parts_->kernel_for_one(which, kind, of);
  if (!made.kernel) return kind == KernelKind::automatic;
  made.link = index;
  if (which == Quantity::energy) {
    const std::vector<double> q = robot.neutral();
    parts_->mass = energy(robot, *this, q, parts_->zero).mass;
  }
  parts_->specialized[which] = std::move(made);
  parts_->choose_specialized();
  return true;
}

KernelKind Workspace::kernel(Quantity which) const {
  const auto there = parts_->specialized.find(which);
  return there == parts_->specialized.end() ? KernelKind::generic : there->second.kind;
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
