#include "parid/run/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

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
                                     options.threads > 0 ? options.threads : available_cores())) {}
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;
Engine::~Engine() = default;

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
