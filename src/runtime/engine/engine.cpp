#include "parid/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <stdexcept>

#include "base/threads/thread_pool.hpp"
#include "model/joint/coordinates.hpp"
#include "parid/error.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/engine/strided_types.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/kernel/kernel_choice.hpp"
#include "runtime/kernel/program_kernel.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/layer.hpp"
#include "scalar/angle.hpp"

namespace parid {
using namespace runtime;

namespace {

// Parts begin at multiples of this number of rows, so that a row's lane does not depend on the
// number of threads; rows that are not contiguous are gathered in blocks of this size.
constexpr std::size_t block = 64;
// Small enough for prompt cancellation and smooth progress, large enough for negligible overhead.
constexpr std::size_t most_rows_in_a_part = 128 * block;

constexpr std::size_t most_numbers = PTRDIFF_MAX / sizeof(double);  // in arrays that can be

// Whether `size` equals rows · width, without overflow.
bool holds_rows(std::size_t size, std::size_t rows, std::size_t width) {
  return width == 0 ? size == 0 : size % width == 0 && size / width == rows;
}

template <class Real>
using Kernels = std::vector<std::unique_ptr<ProgramKernel<Real>>>;  // one per worker, or none

// A quantity that was evaluated or prepared.
struct Prepared {
  Quantity quantity;
  std::string link_name;
  int link = -1;
  Shape shape;
  KernelKind kind = KernelKind::generic;
  Kernels<double> in_double, few_in_double;  // the latter, if there are any, for few rows
  Kernels<float> in_float, few_in_float;

  template <class Real>
  Kernels<Real>& kernels() {
    if constexpr (std::is_same_v<Real, double>)
      return in_double;
    else
      return in_float;
  }
  template <class Real>
  Kernels<Real>& kernels_for_few() {
    if constexpr (std::is_same_v<Real, double>)
      return few_in_double;
    else
      return few_in_float;
  }
  // That of a worker for this number of rows; null: the generic one.
  template <class Real>
  ProgramKernel<Real>* kernel_for(std::size_t rows, int worker) {
    const auto k = static_cast<std::size_t>(worker);
    if (!kernels_for_few<Real>().empty() && rows < compiled_faster_from(shape.in[0]))
      return kernels_for_few<Real>()[k].get();
    return kernels<Real>().empty() ? nullptr : kernels<Real>()[k].get();
  }
  std::size_t widest() const {
    std::size_t n = 0;
    for (const std::size_t k : shape.in) n += k;
    for (const std::size_t k : shape.out) n += k;
    return n;
  }
};

// Buffers for gathering and scattering rows of any layout, `block` rows of each array.
template <class Real>
struct Gathered {
  std::vector<Real> memory;
  void prepare(std::size_t numbers_per_row) {
    memory.resize(std::max(memory.size(), numbers_per_row * block));
  }
};

struct Worker {
  GenericRows generic;
  Gathered<double> in_double;
  Gathered<float> in_float;
  Worker(const Robot& r, const RowLayout& per_row) : generic(r, per_row) {}

  template <class Real>
  Gathered<Real>& gathered() {
    if constexpr (std::is_same_v<Real, double>)
      return in_double;
    else
      return in_float;
  }
};

template <class Real>
struct Job {
  Prepared& prepared;
  std::span<const StridedIn<Real>> in;
  std::span<const StridedOut<Real>> out;

  bool in_rows() const {
    auto dense = [](auto arrays, const std::vector<std::size_t>& width) {
      for (std::size_t k = 0; k < arrays.size(); ++k)
        if (arrays[k].row != width[k] || (arrays[k].column != 1 && width[k] > 1)) return false;
      return true;
    };
    return dense(in, prepared.shape.in) && dense(out, prepared.shape.out);
  }
  // The common stride of all columns, or 0.
  std::size_t in_columns() const {
    const std::size_t stride = in[0].column;
    for (const auto& a : in)
      if (a.row != 1 || a.column != stride) return 0;
    for (const auto& a : out)
      if (a.row != 1 || a.column != stride) return 0;
    return stride;
  }
};

}  // namespace

const char* name(KernelKind k) {
  switch (k) {
    case KernelKind::generic: return "generic";
    case KernelKind::interpreted: return "interpreted";
    case KernelKind::machine: return "machine";
    case KernelKind::automatic: return "automatic";
    default: return "compiled";
  }
}

struct Engine::Parts {
  Robot robot;
  ThreadPool pool;
  std::vector<Worker> workers;
  std::list<Prepared> prepared;
  ExternalLoads external_loads;
  bool undisturbed = true;
  std::string note;
  std::vector<bool> turns;  // whether the position is an angle

  RowArguments per_row;
  RowLayout layout;

  Parts(const Robot& r, const EngineOptions& options)
      : robot(r),
        pool(thread_count(options.threads)),
        per_row(options.per_row),
        layout(row_layout(r, options.per_row)) {
    const int threads = thread_count(options.threads);
    workers.reserve(static_cast<std::size_t>(threads));
    for (int k = 0; k < threads; ++k) workers.emplace_back(r, layout);
    for (const JointDescription& j : r.description().joints)
      for (int k = 0; k < position_count(j); ++k)
        turns.push_back(j.type == JointType::revolute || j.type == JointType::continuous ||
                        (j.type == JointType::planar && k == 2));
  }

  void external_loads_changed() {
    for (Worker& m : workers) m.generic.set_external_loads(external_loads);
    undisturbed = nothing_acts(external_loads);
  }

  const Prepared* find(Quantity which, std::string_view link) const {
    for (const Prepared& p : prepared)
      if (p.quantity == which && (link.empty() || p.link_name == link)) return &p;
    return nullptr;
  }

  // Prepares the generic kernel at the first call.
  Prepared& find_or_prepare(Quantity which, std::string_view link = "") {
    if (const Prepared* p = find(which, link)) return const_cast<Prepared&>(*p);
    if (layout.parameters.empty()) robot.require_defined(which);
    Prepared p;
    p.quantity = which;
    p.shape = shape_of(robot, which, layout);
    if (info(which).needs_link) {
      p.link_name = link.empty() ? robot.tip() : std::string(link);
      p.link = robot.find_link(p.link_name);
    }
    for (Worker& m : workers) {
      m.generic.prepare(which);
      m.in_double.prepare(p.widest());
      m.in_float.prepare(p.widest());
    }
    return prepared.emplace_back(std::move(p));
  }

  template <class Real>
  bool program_kernels(Kernels<Real>& to, SpecializedSource& source, KernelKind kind) {
    std::unique_ptr<ProgramKernel<Real>> first;
    if (kind == KernelKind::compiled)
      first = compiled_kernel<Real>(source, note);
    else if (const Program* program = source.program(note); program && kind == KernelKind::machine)
      first = machine_kernel<Real>(*program, note);
    else if (program)
      first = interpreted_program<Real>(*program);
    return distribute(to, std::move(first));
  }

  // One for every worker; false if there is none.
  template <class Real>
  bool distribute(Kernels<Real>& to, std::unique_ptr<ProgramKernel<Real>> first) {
    if (!first) return false;
    to.clear();
    to.push_back(std::move(first));
    while (to.size() < workers.size()) to.push_back(to.front()->clone());
    return true;
  }

  // The fastest kernels that are ready without starting the compiler: machine code, and compiled
  // code for many rows of a short program.
  template <class Real>
  void automatic_kernels(Prepared& p, SpecializedSource& source) {
    const Program* program = source.program(note);
    if (!program) return;
    const std::size_t operations = program->graph.size();
    Kernels<Real> machine, compiled;
    if (operations <= most_operations_of_rows(p.quantity))
      distribute(machine, machine_kernel<Real>(*program, note));
    if (machine.empty() || operations <= compiled_faster_up_to)
      distribute(compiled, ready_kernel<Real>(source));
    if (machine.empty() && compiled.empty()) return;
    p.kind = compiled.empty() ? KernelKind::machine : KernelKind::compiled;
    if (compiled.empty()) compiled.swap(machine);
    p.template kernels<Real>() = std::move(compiled);
    p.template kernels_for_few<Real>() = std::move(machine);
  }

  bool prepare(Quantity which, KernelKind kind, const std::string& link, bool single) {
    Prepared& p = find_or_prepare(which, link);
    p.in_double.clear();
    p.in_float.clear();
    p.few_in_double.clear();
    p.few_in_float.clear();
    p.kind = KernelKind::generic;
    note.clear();
    if (kind == KernelKind::generic) return true;
    SpecializedSource source(robot, which, p.link_name, per_row);
    if (kind == KernelKind::automatic) {
      automatic_kernels<double>(p, source);
      if (single && p.kind != KernelKind::generic) automatic_kernels<float>(p, source);
      return true;
    }
    bool reached = false;  // kinds before the requested one are not tried
    for (const KernelKind k :
         {KernelKind::compiled, KernelKind::machine, KernelKind::interpreted}) {
      reached |= k == kind;
      if (!reached) continue;
      // In place of the requested kind, nothing slower than the generic kernel.
      if (k != kind && !worth_specializing(source, which, k)) break;
      if (!program_kernels(p.in_double, source, k)) continue;
      if (single && !program_kernels(p.in_float, source, k)) continue;
      p.kind = k;
      break;
    }
    return p.kind == kind;
  }

  // Larger angles are not given to the specialized kernel: sums of large angles lose digits. The
  // generic kernel also handles values that are not finite.
  template <class Real>
  Real most(std::size_t column) const {
    return turns[column] ? plain_angle<Real> : Real(1e4);
  }
  template <class Real>
  bool far(const Real* q) const {
    for (std::size_t k = 0; k < turns.size(); ++k)
      if (const Real limit = most<Real>(k); !(q[k] <= limit && q[k] >= -limit)) return true;
    return false;
  }

  // Rows [first, first + n) of a job, by one worker.
  template <class Real>
  void some(const Job<Real>& job, int worker, std::size_t first, std::size_t n, bool dense,
            std::size_t stride) {
    Prepared& p = job.prepared;
    Worker& m = workers[worker];
    const Shape& shape = p.shape;
    ProgramKernel<Real>* specialized =
        undisturbed ? p.template kernel_for<Real>(n, worker) : nullptr;
    const Real* in[most_arrays];
    Real* out[most_arrays];
    auto rows = [&](std::size_t count) {
      if (!specialized) return m.generic.rows(p.quantity, p.link, count, in, out);
      specialized->rows(count, in, out);
      if (!specialized->beyond(count * shape.in[0], in[0], plain_angle<Real>)) return;
      // large angles exceed the accuracy of the specialized kernel: the generic one computes runs
      // of such rows
      const Real* in_r[most_arrays];
      Real* out_r[most_arrays];
      for (std::size_t r = 0; r < count;) {
        std::size_t run = 0;
        while (r + run < count && far(in[0] + (r + run) * shape.in[0])) ++run;
        for (std::size_t k = 0; k < shape.in.size(); ++k) in_r[k] = in[k] + r * shape.in[k];
        for (std::size_t k = 0; k < shape.out.size(); ++k) out_r[k] = out[k] + r * shape.out[k];
        if (run > 0) m.generic.rows(p.quantity, p.link, run, in_r, out_r);
        r += run + 1;
      }
    };
    if (dense) {
      for (std::size_t k = 0; k < shape.in.size(); ++k)
        in[k] = job.in[k].data + first * shape.in[k];
      for (std::size_t k = 0; k < shape.out.size(); ++k)
        out[k] = job.out[k].data + first * shape.out[k];
      return rows(n);
    }
    if (specialized && stride && specialized->takes_columns()) {
      bool any = false;
      for (std::size_t c = 0; c < shape.in[0]; ++c)
        any |= specialized->beyond(n, job.in[0].data + c * stride + first, most<Real>(c));
      if (!any) {
        for (std::size_t k = 0; k < shape.in.size(); ++k) in[k] = job.in[k].data + first;
        for (std::size_t k = 0; k < shape.out.size(); ++k) out[k] = job.out[k].data + first;
        return specialized->columns(n, stride, in, out);
      }
    }
    for (std::size_t at = first; at < first + n; at += block) {
      const std::size_t count = std::min(block, first + n - at);
      Real* memory = m.template gathered<Real>().memory.data();
      for (std::size_t k = 0; k < shape.in.size(); memory += block * shape.in[k++]) {
        in[k] = memory;
        const StridedIn<Real>& a = job.in[k];
        for (std::size_t r = 0; r < count; ++r)
          for (std::size_t c = 0; c < shape.in[k]; ++c)
            memory[r * shape.in[k] + c] = a.data[(at + r) * a.row + c * a.column];
      }
      for (std::size_t k = 0; k < shape.out.size(); memory += block * shape.out[k++])
        out[k] = memory;
      rows(count);
      for (std::size_t k = 0; k < shape.out.size(); ++k) {
        const StridedOut<Real>& a = job.out[k];
        for (std::size_t r = 0; r < count; ++r)
          for (std::size_t c = 0; c < shape.out[k]; ++c)
            a.data[(at + r) * a.row + c * a.column] = out[k][r * shape.out[k] + c];
      }
    }
  }

  // Calls work(worker, first row, rows) for all rows, distributed over workers.
  template <class Work>
  bool share(std::size_t rows, const Watch* watch, Work&& work) {
    const std::size_t workers_ = workers.size();
    std::size_t part = (rows / (8 * workers_) + block) / block * block;
    part = std::clamp(part, 4 * block, most_rows_in_a_part);
    const std::size_t parts = (rows + part - 1) / part;
    std::atomic<std::size_t> done{0};
    std::atomic<bool> stopped{false};
    auto one = [&](int worker, std::size_t k) {
      if (watch && watch->stop.stop_requested()) {
        stopped = true;
        return;
      }
      const std::size_t n = std::min(part, rows - k * part);
      work(worker, k * part, n);
      if (watch && watch->progress) {
        const std::size_t now = done += n;
        if (worker == 0) watch->progress(now);
      }
    };
    if (workers_ == 1 || parts == 1)
      for (std::size_t k = 0; k < parts; ++k) one(0, k);
    else
      pool.share(parts, one);
    return !stopped;
  }

  template <class Real>
  bool evaluate(Quantity which, std::string_view link, std::size_t rows,
                std::span<const StridedIn<Real>> in, std::span<const StridedOut<Real>> out,
                const Watch* watch) {
    Job<Real> job{find_or_prepare(which, link), in, out};
    const Shape& shape = job.prepared.shape;
    if (in.size() != shape.in.size() || out.size() != shape.out.size())
      throw std::invalid_argument(fmt::format(
          "Engine: '{}' needs {} input arrays ({}) and {} output arrays ({}), not {} and {}",
          name(which), shape.in.size(), fmt::join(shape.in_names, ", "), shape.out.size(),
          fmt::join(shape.out_names, ", "), in.size(), out.size()));
    if (rows == 0) return true;
    if (rows > most_numbers / std::max<std::size_t>(1, job.prepared.widest()))
      throw std::invalid_argument(
          fmt::format("Engine, {}: not enough memory for {} rows of '{}'; check the number of rows",
                      name(which), rows, robot.name()));
    const bool dense = job.in_rows();
    const std::size_t stride = dense ? 0 : job.in_columns();
    return share(rows, watch, [&](int worker, std::size_t first, std::size_t n) {
      some(job, worker, first, n, dense, stride);
    });
  }

  // Contiguous rows; checks the arrays' sizes.
  template <class Real>
  void evaluate_rows(Quantity which, std::string_view link, std::size_t rows,
                     std::initializer_list<std::span<const Real>> in,
                     std::initializer_list<std::span<Real>> out) {
    const Shape& shape = find_or_prepare(which, link).shape;
    StridedIn<Real> from[most_arrays];
    StridedOut<Real> to[most_arrays];
    auto dense = [&](auto& arrays, auto* strided, const std::vector<std::size_t>& width,
                     const std::vector<std::string>& names) {
      std::size_t k = 0;
      for (const auto& a : arrays) {
        if (!holds_rows(a.size(), rows, width[k]))
          throw std::invalid_argument(
              fmt::format("Engine, {}: {} has {} numbers; {} rows of '{}' need {}", name(which),
                          names[k], a.size(), rows, robot.name(), rows * width[k]));
        strided[k] = {a.data(), width[k], 1};
        ++k;
      }
    };
    dense(in, from, shape.in, shape.in_names);
    dense(out, to, shape.out, shape.out_names);
    evaluate<Real>(which, link, rows, {from, in.size()}, {to, out.size()}, nullptr);
  }

  void with_friction(std::size_t rows, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a, std::span<double> total,
                     const FrictionRows<double>& to) {
    if (!per_row.empty())
      throw std::invalid_argument(
          "Engine: torques with friction do not take arguments that differ by row; use an engine "
          "without `per_row`");
    const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
    if (!holds_rows(q.size(), rows, nq) || !holds_rows(v.size(), rows, nv) ||
        !holds_rows(a.size(), rows, nv) || !holds_rows(total.size(), rows, nv))
      throw std::invalid_argument(fmt::format(
          "Engine: q, v, a, tau have {}, {}, {}, {} numbers; {} rows of '{}' need {}, {}, {}, {}",
          q.size(), v.size(), a.size(), total.size(), rows, robot.name(), rows * nq, rows * nv,
          rows * nv, rows * nv));
    if (rows == 0) return;
    share(rows, nullptr, [&](int worker, std::size_t first, std::size_t n) {
      const std::size_t at = first * nv;
      const double* in[] = {q.data() + first * nq, v.data() + at, a.data() + at};
      workers[worker].generic.with_friction(
          n, in,
          to.rigid
              ? FrictionRows<double>{to.tau + at, to.rigid + at, to.bearing + at, to.drive + at}
              : FrictionRows<double>{to.tau + at});
    });
  }
};

Engine::Engine(const Robot& robot, const EngineOptions& options)
    : parts_(std::make_unique<Parts>(robot, options)) {
  std::string notes;
  for (const Quantity which : options.quantities) {
    parts_->prepare(which, options.kernel, "", options.single_precision);
    if (notes.empty()) notes = parts_->note;
  }
  parts_->note = notes;
}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

const Robot& Engine::robot() const { return parts_->robot; }
int Engine::threads() const { return static_cast<int>(parts_->workers.size()); }

bool Engine::prepare(Quantity which, KernelKind kind, const std::string& link) {
  return parts_->prepare(which, kind, link, true);
}
KernelKind Engine::kernel(Quantity which) const {
  const Prepared* p = parts_->find(which, "");
  return p ? p->kind : KernelKind::generic;
}
std::string Engine::build_fingerprint(Quantity which, bool single_precision) const {
  const Prepared* p = parts_->find(which, "");
  auto of = [](const auto& kernels) {
    return kernels.empty() ? "" : kernels.front()->build_fingerprint();
  };
  return !p ? "" : single_precision ? of(p->in_float) : of(p->in_double);
}
const std::string& Engine::note() const { return parts_->note; }
std::vector<std::size_t> Engine::input_widths(Quantity which) const {
  return shape_of(parts_->robot, which, parts_->layout).in;
}
std::vector<std::size_t> Engine::output_widths(Quantity which) const {
  return shape_of(parts_->robot, which).out;
}
std::vector<std::string> Engine::input_names(Quantity which) const {
  return shape_of(parts_->robot, which, parts_->layout).in_names;
}

void Engine::set_external_loads(const ExternalLoads& around) {
  parts_->external_loads = around;
  parts_->external_loads_changed();
}
void Engine::set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                             const std::array<double, 3>& vd) {
  parts_->external_loads.set_base_motion(parts_->robot, w, wd, vd);
  parts_->external_loads_changed();
}
void Engine::set_wrench(const std::string& link, const std::array<double, 3>& force,
                        const std::array<double, 3>& moment) {
  parts_->external_loads.add_wrench(parts_->robot, link, force, moment);
  parts_->external_loads_changed();
}

bool Engine::evaluate(Quantity which, std::size_t rows, std::span<const StridedInput> in,
                      std::span<const StridedOutput> out, const Watch& watch,
                      std::string_view link) {
  return parts_->evaluate<double>(which, link, rows, in, out, &watch);
}
bool Engine::evaluate(Quantity which, std::size_t rows, std::span<const StridedInputFloat> in,
                      std::span<const StridedOutputFloat> out, const Watch& watch,
                      std::string_view link) {
  return parts_->evaluate<float>(which, link, rows, in, out, &watch);
}

void Engine::inverse_dynamics(std::size_t rows, std::span<const double> q,
                              std::span<const double> v, std::span<const double> a,
                              std::span<double> tau) {
  parts_->evaluate_rows<double>(Quantity::inverse_dynamics, "", rows, {q, v, a}, {tau});
}
void Engine::inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                              std::span<const float> a, std::span<float> tau) {
  parts_->evaluate_rows<float>(Quantity::inverse_dynamics, "", rows, {q, v, a}, {tau});
}
void Engine::forward_dynamics(std::size_t rows, std::span<const double> q,
                              std::span<const double> v, std::span<const double> tau,
                              std::span<double> a) {
  parts_->evaluate_rows<double>(Quantity::forward_dynamics, "", rows, {q, v, tau}, {a});
}
void Engine::mass_matrix(std::size_t rows, std::span<const double> q, std::span<double> M) {
  parts_->evaluate_rows<double>(Quantity::mass_matrix, "", rows, {q}, {M});
}
void Engine::bias(std::size_t rows, std::span<const double> q, std::span<const double> v,
                  std::span<double> tau) {
  parts_->evaluate_rows<double>(Quantity::bias, "", rows, {q, v}, {tau});
}
void Engine::gravity(std::size_t rows, std::span<const double> q, std::span<double> tau) {
  parts_->evaluate_rows<double>(Quantity::gravity, "", rows, {q}, {tau});
}
void Engine::inverse_gradient(std::size_t rows, std::span<const double> q,
                              std::span<const double> v, std::span<const double> a,
                              std::span<double> dq, std::span<double> dv, std::span<double> da) {
  parts_->evaluate_rows<double>(Quantity::inverse_gradient, "", rows, {q, v, a}, {dq, dv, da});
}
void Engine::forward_gradient(std::size_t rows, std::span<const double> q,
                              std::span<const double> v, std::span<const double> tau,
                              std::span<double> dq, std::span<double> dv, std::span<double> dtau) {
  parts_->evaluate_rows<double>(Quantity::forward_gradient, "", rows, {q, v, tau}, {dq, dv, dtau});
}
void Engine::kinematics(std::size_t rows, std::span<const double> q, std::string_view link,
                        std::span<double> rotation, std::span<double> position) {
  parts_->evaluate_rows<double>(Quantity::kinematics, link, rows, {q}, {rotation, position});
}
void Engine::jacobian(std::size_t rows, std::span<const double> q, std::string_view link,
                      std::span<double> J) {
  parts_->evaluate_rows<double>(Quantity::jacobian, link, rows, {q}, {J});
}

void Engine::inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                            std::span<const double> v, std::span<const double> a,
                                            const FrictionTorques& to) {
  for (const std::span<double> part : {to.rigid, to.bearing, to.drive})
    if (part.size() != to.total.size())
      throw std::invalid_argument(fmt::format(
          "Engine: the parts of the torque have {}, {}, {}, {} numbers; give them equal sizes",
          to.rigid.size(), to.bearing.size(), to.drive.size(), to.total.size()));
  parts_->with_friction(rows, q, v, a, to.total,
                        {to.total.data(), to.rigid.data(), to.bearing.data(), to.drive.data()});
}
void Engine::inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                            std::span<const double> v, std::span<const double> a,
                                            std::span<double> total) {
  parts_->with_friction(rows, q, v, a, total, {total.data()});
}

}  // namespace parid
