#include "parid/run/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "parid/emit/compile.hpp"
#include "parid/emit/simd.hpp"
#include "parid/generate/generate.hpp"
#include "parid/run/crew.hpp"
#include "parid/run/kernel.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

struct Engine::Parts {
  Robot robot;
  Crew crew;
  std::vector<std::unique_ptr<Kernel<double>>> in_double;  // one per member
  std::vector<std::unique_ptr<Kernel<float>>> in_float;
  Surroundings surroundings;
  std::unique_ptr<CompiledLibrary> own_double, own_float;  // this robot's kernels, where compiled
  std::string note;

  Parts(const Robot& r, int threads) : robot(r), crew(threads) {
    for (int k = 0; k < threads; ++k) {
      in_double.push_back(best_kernels().batch(r.canonical()));
      in_float.push_back(best_kernels().batch_float(r.canonical()));
    }
  }

  void surroundings_changed() {
    for (auto& k : in_double)
      k->set_base_motion(surroundings.base), k->set_external(surroundings.external);
    for (auto& k : in_float)
      k->set_base_motion(surroundings.base), k->set_external(surroundings.external);
  }

  // NAME_rows of parid/emit/simd.hpp, and the lanes it was written for.
  template <class Real>
  using Rows = void (*)(long, const Real* const*, Real* const*);
  static constexpr const char* own_name = "own";

  template <class Real>
  Rows<Real> own_rows() const {
    const CompiledLibrary* library =
        std::is_same_v<Real, double> ? own_double.get() : own_float.get();
    const bool undisturbed = surroundings.external.empty() && is_zero(surroundings.base.w) &&
                             is_zero(surroundings.base.wd) && is_zero(surroundings.base.vd);
    if (!library || !undisturbed) return nullptr;
    return reinterpret_cast<Rows<Real>>(library->function(std::string(own_name) + "_rows"));
  }
  static bool is_zero(const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

  bool compile() {
    Program program = generate(robot, "inverse").program;
    program.name = own_name;
    const std::string widest = kernel_sets().back().name;
    const int lanes = widest == "avx512" ? 8 : widest == "avx2" ? 4 : 2;
    own_double = parid::compile(emit_simd(program, {lanes, false}), note);
    if (own_double) own_float = parid::compile(emit_simd(program, {2 * lanes, true}), note);
    if (!own_float) own_double.reset();
    return own_float != nullptr;
  }

  template <class Real>
  static FrictionRows<Real> from_row(const FrictionRows<Real>& to, std::size_t at) {
    if (!to.rigid) return {to.tau + at};
    return {to.tau + at, to.rigid + at, to.bearing + at, to.drive + at};
  }

  template <class Real>
  void evaluate(std::vector<std::unique_ptr<Kernel<Real>>>& kernels, std::size_t rows,
                std::span<const Real> q, std::span<const Real> v, std::span<const Real> a,
                std::span<Real> tau, const FrictionRows<Real>* friction = nullptr) {
    const Canonical& c = robot.canonical();
    const auto nq = static_cast<std::size_t>(c.nq), nv = static_cast<std::size_t>(c.nv);
    if (q.size() != rows * nq || v.size() != rows * nv || a.size() != rows * nv ||
        tau.size() != rows * nv)
      throw std::invalid_argument(fmt::format(
          "Engine: q, v, a, tau have {}, {}, {}, {} numbers; {} rows of '{}' are {}, {}, {}, {}",
          q.size(), v.size(), a.size(), tau.size(), rows, robot.name(), rows * nq, rows * nv,
          rows * nv, rows * nv));
    if (rows == 0) return;
    if (const Rows<Real> own = friction ? nullptr : own_rows<Real>()) {
      // A lane's numbers do not depend on its neighbours: rows may be shared out anywhere.
      const std::size_t part = std::max<std::size_t>(256, rows / (8 * kernels.size()) + 1);
      auto some = [&](std::size_t k) {
        const std::size_t r = k * part, n = std::min(part, rows - r);
        const Real* const in[] = {q.data() + r * nq, v.data() + r * nv, a.data() + r * nv};
        Real* const out[] = {tau.data() + r * nv};
        own(static_cast<long>(n), in, out);
      };
      const std::size_t parts = (rows + part - 1) / part;
      if (kernels.size() == 1 || parts == 1)
        for (std::size_t k = 0; k < parts; ++k) some(k);
      else
        crew.share(parts, [&](int, std::size_t k) { some(k); });
      return;
    }
    const auto lanes = static_cast<std::size_t>(kernels.front()->lanes());
    // Blocks start at multiples of the lanes, so that a row's lane does not depend on the threads.
    auto run = [&](Kernel<Real>& kernel, std::size_t first, std::size_t last) {
      for (std::size_t r = first * lanes; r < std::min(last * lanes, rows); r += lanes) {
        const int some = static_cast<int>(std::min(lanes, rows - r));
        const Real *q_r = q.data() + r * nq, *v_r = v.data() + r * nv, *a_r = a.data() + r * nv;
        if (friction)
          kernel.inverse_dynamics_with_friction(q_r, v_r, a_r, from_row(*friction, r * nv), some);
        else
          kernel.inverse_dynamics(q_r, v_r, a_r, tau.data() + r * nv, some);
      }
    };
    const std::size_t blocks = (rows + lanes - 1) / lanes;
    if (kernels.size() == 1 || blocks < 8) return run(*kernels.front(), 0, blocks);
    const std::size_t grain = std::max<std::size_t>(4, blocks / (16 * kernels.size()));
    crew.share((blocks + grain - 1) / grain, [&](int member, std::size_t part) {
      run(*kernels[member], part * grain, std::min((part + 1) * grain, blocks));
    });
  }
};

Engine::Engine(const Robot& robot, const EngineOptions& options)
    : parts_(std::make_unique<Parts>(robot,
                                     options.threads > 0 ? options.threads : available_cores())) {
  if (options.compile) compile();
}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

bool Engine::compile() { return parts_->own_float || parts_->compile(); }
const char* Engine::kernel() const { return parts_->own_float ? "compiled" : "generic"; }
const std::string& Engine::note() const { return parts_->note; }

int Engine::threads() const { return static_cast<int>(parts_->in_double.size()); }

void Engine::set_surroundings(const Surroundings& around) {
  parts_->surroundings = around;
  parts_->surroundings_changed();
}
void Engine::set_base_motion(const std::array<double, 3>& w, const std::array<double, 3>& wd,
                             const std::array<double, 3>& vd) {
  parts_->surroundings.set_base_motion(parts_->robot, w, wd, vd);
  parts_->surroundings_changed();
}
void Engine::set_wrench(const std::string& link, const std::array<double, 3>& force,
                        const std::array<double, 3>& moment) {
  parts_->surroundings.add_wrench(parts_->robot, link, force, moment);
  parts_->surroundings_changed();
}

void Engine::inverse_dynamics(std::size_t rows, std::span<const double> q,
                              std::span<const double> v, std::span<const double> a,
                              std::span<double> tau) {
  parts_->evaluate(parts_->in_double, rows, q, v, a, tau);
}
void Engine::inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                              std::span<const float> a, std::span<float> tau) {
  parts_->evaluate(parts_->in_float, rows, q, v, a, tau);
}
void Engine::inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                            std::span<const double> v, std::span<const double> a,
                                            const FrictionTorques& to) {
  for (const std::span<double> part : {to.rigid, to.bearing, to.drive})
    if (part.size() != to.total.size())
      throw std::invalid_argument(fmt::format(
          "Engine: the parts of the torque have {}, {}, {}, {} numbers; give all the same",
          to.rigid.size(), to.bearing.size(), to.drive.size(), to.total.size()));
  const FrictionRows<double> rows_to{to.total.data(), to.rigid.data(), to.bearing.data(),
                                     to.drive.data()};
  parts_->evaluate(parts_->in_double, rows, q, v, a, to.total, &rows_to);
}
void Engine::inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                            std::span<const double> v, std::span<const double> a,
                                            std::span<double> total) {
  const FrictionRows<double> to{total.data()};
  parts_->evaluate(parts_->in_double, rows, q, v, a, total, &to);
}

}  // namespace parid
