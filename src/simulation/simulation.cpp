#include "parid/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/given_values.hpp"
#include "parid/elastic.hpp"
#include "simulation/guards.hpp"
#include "simulation/integrator.hpp"
#include "simulation/layer.hpp"

namespace parid {
using namespace simulation;

namespace {

// Instants closer than this are equal.
double instant(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }

constexpr int events_on_the_spot = 1000;

class Run {
 public:
  // `mechanism`: the robot itself, or with motors of its own.
  Run(const Robot& robot, const Robot& mechanism, const SimulationOptions& o, TorqueSource& source)
      : o_(o),
        kind_(integrator(o.integrator)),
        plant_(mechanism, source, o.friction, springs_of(robot, o)),
        guards_(plant_, o.stop_at),
        integrator_(kind_.make(plant_)),
        y_(static_cast<std::size_t>(plant_.size())),
        a_(mechanism.nv()),
        tau_(mechanism.nv()),
        taken_(mechanism.nv()),
        q_(mechanism.nq()),
        nq_(static_cast<std::size_t>(robot.nq())),
        nv_(static_cast<std::size_t>(robot.nv())) {
    name_torques(robot, result_.motion);
  }

  SimulationResult from(const std::vector<double>& q, const std::vector<double>& v) {
    plant_.base = q;
    plant_.v = v;
    plant_.chart().position(q.data(), std::vector<double>(v.size()).data(),
                            plant_.base.data());  // unit quaternions
    h_ = std::min(1e-3, o_.time);
    begin_piece();
    record_here();
    if (result_.motion.rows == 0)
      throw Error(
          "no accelerations found at the start: the values are too large, or joint friction blocks "
          "every motion");
    while (!ended_ && plant_.t < o_.time) {
      const double stop = next_stop();
      if (stop - plant_.t <= instant(stop))
        plant_.t = stop;
      else
        advance(stop);
      if (!ended_) begin_piece();
      if (!ended_ && sample_time() <= plant_.t + instant(plant_.t)) record_here();
    }
    if (result_.motion.t.empty() || result_.motion.t.back() < plant_.t - instant(plant_.t))
      record_here();
    result_.ended_at = plant_.t;
    result_.evaluations = plant_.evaluations;
    account_for_energy();
    return std::move(result_);
  }

 private:
  static std::optional<Springs> springs_of(const Robot& robot, const SimulationOptions& o) {
    if (!o.elastic) return {};
    return Springs(robot, o.measure_links);
  }

  double sample_time() const { return static_cast<double>(next_) / o_.rate; }
  double next_stop() {
    const double stop = std::min(o_.time, plant_.source().next_break());
    return kind_.adaptive ? stop : std::min(stop, std::max(sample_time(), plant_.t));
  }

  void end(SimulationEnd how, std::string why) {
    ended_ = true;
    result_.end = how;
    result_.why = std::move(why);
  }

  // Torques may jump here: the states of joints are determined again.
  void begin_piece() {
    plant_.begin();
    settle();
    if (std::string why = plant_.source().gives_up(); !why.empty() && !ended_)
      end(SimulationEnd::diverged, std::move(why));
  }
  void settle() {
    integrator_->starts_anew();
    if (!guards_.settle())
      end(SimulationEnd::stalled, "no accelerations found that satisfy the joint friction");
  }

  void advance(double stop) {
    while (!ended_ && stop - plant_.t > instant(stop)) {
      const double left = stop - plant_.t;
      double h = left / std::ceil(left / o_.step * (1 - 1e-12));
      if (kind_.adaptive) h = h_ >= left * 0.999 ? left : std::min(h_, left / 2);
      if (!take(h)) continue;
      const double to = h == left ? stop : plant_.t + h;
      if (guards_.margin(to, integrator_->end()) < 0)
        cut(h);
      else
        accept(h, to, false);
    }
  }

  // Takes a step of at most h within the tolerance, and sets h to its length.
  bool take(double& h) {
    const bool numbers = integrator_->step(h);
    if (!kind_.adaptive) {
      if (!numbers) diverged();
      return numbers;
    }
    const double error = numbers ? integrator_->error(o_.tolerance) : INFINITY;
    const bool good = error <= 1;
    const double factor = std::isfinite(error) ? 0.9 * std::pow(std::max(error, 1e-10), -0.2) : 0.1;
    // A step that was shortened to end at a stop does not limit the next ones.
    const double next = h * std::clamp(factor, 0.1, 5.0);
    h_ = good ? std::max(next, std::min(h_, h * 5)) : next;
    if (good) return true;
    ++result_.rejected;
    if (h_ < instant(plant_.t)) diverged();
    return false;
  }

  void diverged() {
    end(SimulationEnd::diverged,
        fmt::format("cannot continue: velocities or accelerations grow without bound{}",
                    kind_.adaptive ? "" : ", or the step is too long"));
  }

  // An event occurs within the last step: shortens the step until the event is at its end.
  void cut(double h) {
    double low = 0, high = h, at_high = guards_.margin(plant_.t + h, integrator_->end());
    plant_.start(y_.data());
    double at_low = guards_.margin(plant_.t, y_.data());
    for (int turn = 0; turn < 200 && high - low > 1e-14 * (1 + plant_.t); ++turn) {
      double middle = (low + high) / 2;
      if (turn % 3 != 2 && at_low > 0 && at_high < 0)
        middle = low + (high - low) * std::clamp(at_low / (at_low - at_high), 1e-3, 1 - 1e-3);
      const bool numbers = integrator_->step(middle);
      const double margin =
          numbers ? guards_.margin(plant_.t + middle, integrator_->end()) : -INFINITY;
      if (margin < 0) {
        high = middle;
        at_high = margin;
      } else {
        low = middle;
        at_low = margin;
      }
      if (margin < 0 && margin > -1e-14) break;
    }
    if (!integrator_->step(high)) return diverged();
    on_the_spot_ = high > instant(plant_.t) ? 0 : on_the_spot_ + 1;
    accept(high, plant_.t + high, true);
    if (ended_) return;
    LimitHit hit;
    if (guards_.limit_hit(hit)) {
      result_.coordinate = hit.coordinate;
      return end(SimulationEnd::limit,
                 fmt::format("{} of '{}' reaches its limit {:.6g}",
                             hit.velocity ? "velocity" : "position", hit.coordinate, hit.limit));
    }
    ++result_.events;
    if (on_the_spot_ > events_on_the_spot)
      return end(SimulationEnd::stalled,
                 "joints alternate between sticking and slipping without end at one instant");
    settle();
  }

  void accept(double h, double to, bool is_cut) {
    ++result_.steps;
    if (kind_.adaptive)
      for (; sample_time() < to - instant(to); ++next_) {
        const double t = sample_time();
        integrator_->at((t - plant_.t) / h, y_.data());
        plant_.position(y_.data(), q_.data());
        const int n = plant_.n();
        record(t, q_.data(), y_.data() + n, y_[2 * n], y_[2 * n + 1]);
      }
    plant_.move(to, integrator_->end());
    if (!is_cut) integrator_->goes_on();
    if (o_.progress && result_.steps % 64 == 0) o_.progress(plant_.t / o_.time);
    for (const double v : plant_.v)
      if (!(std::abs(v) <= o_.too_fast)) diverged();
  }

  void record_here() {
    record(plant_.t, plant_.base.data(), plant_.v.data(), plant_.work, plant_.losses);
    while (sample_time() <= plant_.t + instant(plant_.t)) ++next_;
  }
  void record(double t, const double* q, const double* v, double work, double losses) {
    if (!plant_.acceleration(t, q, v, a_.data(), tau_.data(), taken_.data())) return;
    const EnergyState e =
        energy(plant_.robot(), plant_.workspace(), {q, q_.size()}, {v, a_.size()});
    SampledTrajectory& m = result_.motion;
    ++m.rows;
    m.t.push_back(t);
    m.q.insert(m.q.end(), q, q + nq_);
    m.v.insert(m.v.end(), v, v + nv_);
    m.a.insert(m.a.end(), a_.data(), a_.data() + nv_);
    result_.kinetic.push_back(e.kinetic);
    result_.potential.push_back(e.potential);
    if (const Springs* springs = plant_.springs()) {
      result_.theta.insert(result_.theta.end(), q + nq_, q + q_.size());
      result_.theta_v.insert(result_.theta_v.end(), v + nv_, v + a_.size());
      result_.potential.back() += springs->energy(q);
      springs->gather(tau_.data());
    }
    result_.tau.insert(result_.tau.end(), tau_.data(), tau_.data() + nv_);
    result_.work.push_back(work);
    result_.losses.push_back(losses);
  }

  void account_for_energy() {
    SimulationResult& r = result_;
    double scale = 0;
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      const double gained = (r.kinetic[i] - r.kinetic[0]) + (r.potential[i] - r.potential[0]);
      r.energy_drift = std::max(r.energy_drift, std::abs(gained - r.work[i] + r.losses[i]));
      scale = std::max({scale, r.kinetic[i], std::abs(r.potential[i] - r.potential[0]),
                        std::abs(r.work[i]), std::abs(r.losses[i])});
    }
    r.relative_energy_drift = scale > 0 ? r.energy_drift / scale : 0;
  }

  SimulationOptions o_;
  const IntegratorEntry& kind_;
  Plant plant_;
  Guards guards_;
  std::unique_ptr<Integrator> integrator_;
  SimulationResult result_;
  std::vector<double> y_, a_, tau_, taken_, q_;
  std::size_t nq_, nv_;  // of the robot
  double h_ = 1e-3;      // next step of an adaptive method
  long next_ = 0;        // sample
  int on_the_spot_ = 0;
  bool ended_ = false;
};

void check(const SimulationOptions& o) {
  integrator(o.integrator);  // or an Error
  auto positive = [](const char* what, double x, const char* such_as) {
    if (!(x > 0) || !std::isfinite(x))
      throw Error(
          fmt::format("the {} is {}; give a number above zero, such as {}", what, x, such_as));
  };
  positive("time", o.time, "10");
  positive("rate", o.rate, "100");
  positive("step", o.step, "1e-3");
  positive("tolerance", o.tolerance, "1e-9");
  if (o.tolerance < 1e-14)
    throw Error(
        fmt::format("the tolerance is {}; give at least 1e-14, the rounding error", o.tolerance));
  if (!integrator(o.integrator).adaptive && o.time / o.step > 1e9)
    throw Error(
        fmt::format("{:g} s in steps of {:g} s are {:.2g} steps; give a longer step, such as 1e-3",
                    o.time, o.step, o.time / o.step));
  if (o.time * o.rate > 1e8)
    throw Error(
        fmt::format("{:.3g} s at {:.3g} samples per second are {:.3g} samples; the limit is 1e8",
                    o.time, o.rate, o.time * o.rate));
}

// Explicit methods with fixed steps diverge where a step is long beside the fastest spring's
// period.
void check_step(const SimulationOptions& o, double fastest) {
  constexpr double stable = 2.78;  // Runge-Kutta of fourth order, on the imaginary axis
  if (o.integrator != "rk4" || !(o.step * fastest > stable)) return;
  throw Error(fmt::format(
      "a step of {:g} s is too long for a spring with {:.4g} rad/s; give at most {:.2g} s, {:.2g} "
      "s "
      "for accurate vibrations, or another integrator: dopri5 adapts its steps, symplectic is "
      "stable for any",
      o.step, fastest, stable / fastest, 0.2 / fastest));
}

}  // namespace

Simulation::Simulation(const Robot& robot, const SimulationOptions& options)
    : robot_(robot), options_(options), q_(robot.neutral()), v_(robot.nv()) {
  check(options);
  if (options.elastic)
    ElasticDynamics{robot};  // or an Error
  else if (options.measure_links)
    throw Error(
        "rigid joints have no motors of their own to measure; set the option elastic, or leave "
        "out measure_links");
}

void Simulation::set_state(std::span<const double> q, std::span<const double> v) {
  if (q.size() != q_.size() || v.size() != v_.size())
    throw std::invalid_argument(
        fmt::format("Simulation: q has {} numbers and v {}; '{}' needs {} and {}", q.size(),
                    v.size(), robot_.name(), q_.size(), v_.size()));
  require_finite("q", q);
  require_finite("v", v);
  q_.assign(q.begin(), q.end());
  v_.assign(v.begin(), v.end());
  const auto source = no_torque();
  Plant plant(robot_, *source, false);
  LimitHit hit;
  if (Guards(plant, options_.stop_at).outside(q_, hit))
    throw Error(
        fmt::format("the start position of '{}' is {:.6g}, beyond its limit {:.6g}; start inside "
                    "the limits, or ignore limits",
                    hit.coordinate, hit.value, hit.limit));
}

void Simulation::set_motor_state(std::span<const double> theta, std::span<const double> theta_v) {
  const std::size_t m = robot_.elastic_joints().size();
  if (!options_.elastic)
    throw Error("the simulation has rigid joints; set the option elastic to give motors a state");
  if (theta.size() != m || theta_v.size() != m)
    throw std::invalid_argument(
        fmt::format("Simulation: theta has {} numbers and theta_v {}; '{}' has {} elastic joints",
                    theta.size(), theta_v.size(), robot_.name(), m));
  require_finite("theta", theta);
  require_finite("theta_v", theta_v);
  theta_.assign(theta.begin(), theta.end());
  theta_v_.assign(theta_v.begin(), theta_v.end());
}

SimulationResult Simulation::run(TorqueSource& source) const {
  if (!options_.elastic) return Run(robot_, robot_, options_, source).from(q_, v_);
  ElasticDynamics elastic(robot_);
  const std::vector<ElasticJoint>& joints = elastic.joints();
  check_step(options_, elastic.frequencies(q_).back());
  std::vector<double> theta(joints.size()), theta_v;
  elastic.resting_motors(q_, theta);
  for (const ElasticJoint& j : joints) theta_v.push_back(v_[j.velocity]);
  if (!theta_.empty()) {
    theta = theta_;
    theta_v = theta_v_;
  }
  std::vector<double> q = q_, v = v_;
  q.insert(q.end(), theta.begin(), theta.end());
  v.insert(v.end(), theta_v.begin(), theta_v.end());
  return Run(robot_, robot_.with_motors(), options_, source).from(q, v);
}

}  // namespace parid
