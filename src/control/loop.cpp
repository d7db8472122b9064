#include "control/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "control/law.hpp"
#include "control/noise.hpp"
#include "model/given_values.hpp"
#include "parid/dynamics.hpp"

namespace parid::control {
namespace {

class SampledLaw : public TorqueSource {
 public:
  SampledLaw(const Robot& plant, const LawDesign& design, const Trajectory& trajectory,
             const ControlOptions& o, double time, ControlResult& result)
      : plant_(plant),
        design_(design),
        trajectory_(trajectory),
        o_(o),
        time_(time),
        result_(result),
        law_(design.model.canonical(), law_kind(design.law), design.gains),
        workspace_(design.model),
        noise_(o.seed),
        n_(static_cast<std::size_t>(plant.nv())),
        held_(n_),
        q_(n_),
        v_(n_),
        loss_(n_),
        rigid_(n_),
        now_{q_, q_, q_},
        next_{q_, q_, q_} {
    result_.max_error_by_coordinate.assign(n_, 0.0);
  }

  void set_links(std::span<const double> q, std::span<const double>) override {
    links_.assign(q.begin(), q.end());
  }
  void begin(double t, std::span<const double> q, std::span<const double> v) override {
    if (o_.fault) o_.fault->begin(t);
    if (t < next_period() - 1e-12 * std::max(1.0, t)) return;  // another break than ours
    const double period = 1 / o_.rate;
    aim(trajectory_, t, now_);
    aim(trajectory_, t + period, next_);
    watch(t, links_.empty() ? q : links_);
    for (std::size_t k = 0; k < n_; ++k) {
      q_[k] = q[k] + (o_.position_noise > 0 ? o_.position_noise * noise_() : 0);
      v_[k] = v[k] + (o_.velocity_noise > 0 ? o_.velocity_noise * noise_() : 0);
    }
    if (o_.observe) o_.observe(t, q_, v_, held_);
    if (count_ == 0) {
      law_.set_policy(design_.policy);
      law_.start(now_, next_, q_.data(), v_.data(), held_.data());
    }
    // Half a period of tolerance for rounding.
    law_.set_policy(t < o_.switch_at - period / 2 ? Policy() : design_.policy);
    law_.step(now_, next_, q_.data(), v_.data(), held_.data());
    if (o_.compensate_friction) add_friction();
    if (o_.limit_torques) limit();
    ++count_;
  }
  double next_period() const { return static_cast<double>(count_) / o_.rate; }
  double next_break() const override {
    return o_.fault ? std::min(next_period(), o_.fault->next_break()) : next_period();
  }
  void torque(double, std::span<const double> q, std::span<const double> v,
              std::span<double> tau) override {
    std::copy(held_.begin(), held_.end(), tau.begin());
    if (o_.fault) o_.fault->change(q, v, tau);
  }
  std::string gives_up() const override {
    return result_.diverged_at ? fmt::format("the error exceeds {:g}", o_.lost) : "";
  }

  void watch(double t, std::span<const double> q) {
    double worst = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double e = std::isfinite(q[k]) ? std::abs(now_.q[k] - q[k]) : INFINITY;
      worst = std::max(worst, e);
      result_.max_error_by_coordinate[k] = std::max(result_.max_error_by_coordinate[k], e);
      squares_ += e * e;
    }
    ++result_.periods;
    result_.max_error = std::max(result_.max_error, worst);
    if (t >= o_.switch_at)
      result_.max_error_after_switch = std::max(result_.max_error_after_switch, worst);
    if (t < 0.9 * time_ || !(worst <= o_.lost))
      result_.final_error = worst;
    else
      result_.final_error =
          t - result_.period < 0.9 * time_ ? worst : std::max(result_.final_error, worst);
    // The mean is over coordinates and instants, so that it never exceeds the largest error.
    result_.rms_error = std::sqrt(squares_ / (static_cast<double>(result_.periods) *
                                              static_cast<double>(std::max<std::size_t>(n_, 1))));
    if (!(worst <= o_.lost) && !result_.diverged_at) result_.diverged_at = t;
  }

 private:
  void add_friction() {
    inverse_dynamics_with_friction(design_.model, workspace_, q_, now_.v, now_.a, loss_);
    inverse_dynamics(design_.model, workspace_, q_, now_.v, now_.a, rigid_);
    for (std::size_t k = 0; k < n_; ++k) held_[k] += loss_[k] - rigid_[k];
  }
  void limit() {
    bool at_limit = false;
    for (std::size_t k = 0; k < n_; ++k) {
      const double most = plant_.limits()[k].effort;
      at_limit |= std::abs(held_[k]) > most;
      held_[k] = std::clamp(held_[k], -most, most);
    }
    result_.limited += at_limit;
  }

  const Robot& plant_;
  const LawDesign& design_;
  const Trajectory& trajectory_;
  const ControlOptions& o_;
  double time_;
  ControlResult& result_;
  StaleLaw<double> law_;
  Workspace workspace_;
  Noise noise_;
  std::size_t n_;
  std::vector<double> held_, q_, v_, loss_, rigid_;
  std::vector<double> links_;  // of a robot with elastic joints
  Desired now_, next_;
  long count_ = 0;
  double squares_ = 0;
};

void check(const Robot& plant, const LawDesign& design, double duration, const ControlOptions& o) {
  demand_single_freedoms(plant);
  demand_single_freedoms(design.model);
  if (plant.nv() != design.model.nv())
    throw Error(fmt::format("the controller's model '{}' has {} coordinates, but robot '{}' has {}",
                            design.model.name(), design.model.nv(), plant.name(), plant.nv()));
  if (!(o.rate > 0) || !std::isfinite(o.rate))
    throw Error(
        fmt::format("the control rate is {}; give periods per second, such as 1000", o.rate));
  for (const auto& [what, x] : {std::pair{"position noise", o.position_noise},
                                std::pair{"velocity noise", o.velocity_noise},
                                std::pair{"time", o.time}, std::pair{"switch", o.switch_at}})
    if (!(x >= 0) || !std::isfinite(x))
      throw Error(fmt::format("the {} is {}; give a number that is not negative", what, x));
  if (const double periods = o.rate * std::max(o.time, duration); periods > 1e9)
    throw Error(fmt::format(
        "{:.3g} control periods are too many; give a lower rate or a shorter time", periods));
  if (design.elastic && o.fault)
    throw Error(
        "faults change torques on links, and those of elastic joints act on motors; simulate "
        "faults "
        "with rigid joints");
  require_finite("start offset", o.start_offset);
  if (!(o.lost > 0) || !std::isfinite(o.lost)) throw Error("the error limit must be above zero");
  if (!o.start_offset.empty() && o.start_offset.size() != static_cast<std::size_t>(plant.nv()))
    throw Error(fmt::format("the start offset has {} numbers; '{}' needs {}", o.start_offset.size(),
                            plant.name(), plant.nv()));
}

}  // namespace

ControlLoop::ControlLoop(const Robot& plant, const LawDesign& design, TrajectoryPointer trajectory,
                         const ControlOptions& options)
    : plant_(plant), design_(design), trajectory_(std::move(trajectory)), options_(options) {
  check(plant, design, trajectory_->duration(), options);
}

ControlResult ControlLoop::run() const {
  ControlResult result;
  result.period = 1 / options_.rate;
  SimulationOptions s;
  s.integrator = options_.integrator;
  s.time = options_.time > 0 ? options_.time : trajectory_->duration();
  SampledLaw law(plant_, design_, *trajectory_, options_, s.time, result);
  s.rate = options_.record_rate;
  s.step = options_.step > 0 ? options_.step : result.period / 10;
  s.tolerance = options_.tolerance;
  s.friction = options_.friction;
  s.elastic = design_.elastic;
  s.measure_links = design_.measure_links;
  s.stop_at = StopAt::nothing;
  s.progress = options_.progress;
  Simulation simulation(plant_, s);
  Desired start{std::vector<double>(static_cast<std::size_t>(plant_.nq())), {}, {}};
  start.v.resize(start.q.size());
  start.a.resize(start.q.size());
  aim(*trajectory_, 0, start);
  for (std::size_t k = 0; k < options_.start_offset.size(); ++k)
    start.q[k] += options_.start_offset[k];
  simulation.set_state(start.q, start.v);
  result.simulation = simulation.run(law);
  // The state may have overflowed between two periods.
  if (result.simulation.end == SimulationEnd::diverged && !result.diverged_at)
    result.diverged_at = result.simulation.ended_at;
  return result;
}

}  // namespace parid::control
