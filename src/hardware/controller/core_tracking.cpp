#include "hardware/controller/core_tracking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "control/design.hpp"
#include "control/law.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/simulation.hpp"

namespace parid::hardware {
namespace {

using Vector = std::vector<double>;

struct AimedState {
  Desired state;
  explicit AimedState(std::size_t n) : state{Vector(n), Vector(n), Vector(n)} {}
  const Desired& at(const Trajectory& motion, double t) {
    aim(motion, std::max(t, 0.0), state);
    if (t < 0) {
      std::fill(state.v.begin(), state.v.end(), 0.0);
      std::fill(state.a.begin(), state.a.end(), 0.0);
    }
    return state;
  }
};

// A sampled controller: from the sample's number, the time and the exact state to torques.
using SampledStep =
    std::function<void(long k, double t, const Vector& q, const Vector& v, Vector& tau)>;

long periods_of(const ControllerCore& core, const Trajectory& motion) {
  return static_cast<long>(std::floor(motion.duration() * core.options.rate + 1e-9)) + 1;
}

// The ideal law, of the control layer.
class IdealLaw {
 public:
  IdealLaw(const ControllerCore& core, const Trajectory& motion)
      : core_(core),
        motion_(motion),
        law_(core.robot.canonical(), law_kind(core.options.law), gains(core)),
        now_(core.n()),
        next_(core.n()) {
    law_.set_policy(Policy());
  }
  void operator()(long, double t, const Vector& q, const Vector& v, Vector& tau) {
    law_.step(now_.at(motion_, t), next_.at(motion_, t + core_.period()), q.data(), v.data(),
              tau.data());
    for (std::size_t j = 0; j < tau.size(); ++j)
      tau[j] = std::clamp(tau[j], -core_.joints[j].effort, core_.joints[j].effort);
  }

 private:
  static Gains gains(const ControllerCore& core) {
    Gains g;
    for (const CoreJoint& j : core.joints) {
      g.kp.push_back(j.kp);
      g.kd.push_back(j.kd);
    }
    return g;
  }
  const ControllerCore& core_;
  const Trajectory& motion_;
  StaleLaw<double> law_;
  AimedState now_, next_;
};

// Set points of a core: the desired positions one window ahead.
class SetPoints {
 public:
  SetPoints(const ControllerCore& core, const Trajectory& motion)
      : core_(core), motion_(motion), at_(core.n()) {}
  const Vector& operator()(double t) {
    return at_.at(motion_, t + core_.options.window * core_.period()).state_q();
  }
  // Samples before the motion, which fill the filters while the robot is at rest.
  int filling() const { return 2 * core_.options.window + 1; }

 private:
  struct State : AimedState {
    using AimedState::AimedState;
    const Vector& state_q() const { return state.q; }
    State& at(const Trajectory& motion, double t) {
      AimedState::at(motion, t);
      return *this;
    }
  };
  const ControllerCore& core_;
  const Trajectory& motion_;
  State at_;
};

// A robot under a sampled controller whose torques act `delay` later.
class DelayedTorque : public TorqueSource {
 public:
  DelayedTorque(const ControllerCore& core, SampledStep step, double delay, Vector held,
                std::vector<Vector>& visited)
      : core_(core),
        step_(std::move(step)),
        delay_(delay),
        held_(std::move(held)),
        visited_(visited) {}
  void begin(double t, std::span<const double> q, std::span<const double> v) override {
    const double slack = 1e-9 * core_.period();
    if (t >= next_sample() - slack) {
      const Vector at(q.begin(), q.end()), speed(v.begin(), v.end());
      visited_.push_back(at);
      Vector tau(core_.n());
      step_(count_, next_sample(), at, speed, tau);
      coming_.push_back({next_sample() + delay_, std::move(tau)});
      ++count_;
    }
    while (!coming_.empty() && coming_.front().when <= t + slack) {
      held_ = std::move(coming_.front().tau);
      coming_.pop_front();
    }
  }
  double next_break() const override {
    return coming_.empty() ? next_sample() : std::min(next_sample(), coming_.front().when);
  }
  void torque(double, std::span<const double>, std::span<const double>,
              std::span<double> tau) override {
    std::copy(held_.begin(), held_.end(), tau.begin());
  }

 private:
  struct Coming {
    double when;
    Vector tau;
  };
  double next_sample() const { return static_cast<double>(count_) * core_.period(); }

  const ControllerCore& core_;
  SampledStep step_;
  double delay_;
  Vector held_;
  std::deque<Coming> coming_;
  std::vector<Vector>& visited_;
  long count_ = 0;
};

// Positions at the control periods.
std::vector<Vector> simulated(const ControllerCore& core, const Trajectory& motion,
                              const SampledStep& step, double delay, const Vector& held) {
  SimulationOptions o;
  o.time = motion.duration();
  o.rate = 10;
  o.tolerance = 1e-11;
  o.stop_at = StopAt::nothing;
  Simulation simulation(core.robot, o);
  AimedState start(core.n());
  start.at(motion, 0);
  simulation.set_state(start.state.q, start.state.v);
  std::vector<Vector> visited;
  DelayedTorque source(core, step, delay, held, visited);
  const SimulationResult r = simulation.run(source);
  if (r.end != SimulationEnd::finished)
    throw Error(
        fmt::format("robot '{}' under the core: {} at {:.3g} s; reduce the gains or the "
                    "latency",
                    core.robot.name(), r.why, r.ended_at));
  visited.resize(std::min(visited.size(), static_cast<std::size_t>(periods_of(core, motion))));
  return visited;
}

double rms_distance(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    for (std::size_t j = 0; j < a[k].size(); ++j, ++count)
      sum += (a[k][j] - b[k][j]) * (a[k][j] - b[k][j]);
  return count ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

std::vector<Vector> desired(const ControllerCore& core, const Trajectory& motion) {
  std::vector<Vector> all;
  AimedState at(core.n());
  for (long k = 0; k < periods_of(core, motion); ++k)
    all.push_back(at.at(motion, static_cast<double>(k) * core.period()).q);
  return all;
}

void check_motion(const ControllerCore& core, const Trajectory& motion) {
  Vector q(core.n()), v(core.n()), a(core.n());
  motion.at(0, q, v, a);  // sizes are those of the robot
  for (std::size_t j = 0; j < core.n(); ++j)
    if (q[j] < core.joints[j].lower || q[j] > core.joints[j].upper)
      throw Error(fmt::format("the motion starts with joint '{}' at {:g}, outside of its limits",
                              core.joints[j].name, q[j]));
}

// ---- prediction

// What does not depend on the controller: the linearised robot along the motion.
class Linearised {
 public:
  Linearised(const ControllerCore& core, const Trajectory& motion)
      : n_(core.n()), half_(core.period() / 2) {
    Workspace workspace(core.robot);
    AimedState at(n_);
    const long count = 2 * periods_of(core, motion) + 1;
    for (long k = 0; k < count; ++k) {
      const Desired& d = at.at(motion, static_cast<double>(k) * half_);
      Point p;
      p.tau.resize(n_);
      p.dq.resize(n_ * n_);
      p.dv.resize(n_ * n_);
      p.dtau.resize(n_ * n_);
      inverse_dynamics(core.robot, workspace, d.q, d.v, d.a, p.tau);
      forward_gradient(core.robot, workspace, d.q, d.v, p.tau, p.dq, p.dv, p.dtau);
      points_.push_back(std::move(p));
    }
  }

  // x = (δq, δv) over the part [from, to] of period k, under constant torques.
  void advance(long k, double from, double to, const Vector& tau, Vector& x) const {
    const double h = to - from;
    if (h <= 0) return;
    const auto plus = [&](const Vector& a, double by) {
      Vector y = x;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * a[i];
      return y;
    };
    const Vector a = rate(k, from, tau, x), b = rate(k, from + h / 2, tau, plus(a, h / 2)),
                 c = rate(k, from + h / 2, tau, plus(b, h / 2)), d = rate(k, to, tau, plus(c, h));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }

 private:
  struct Point {
    Vector tau, dq, dv, dtau;
  };
  Vector rate(long k, double t, const Vector& tau, const Vector& x) const {
    // Quadratic interpolation over the period.
    const double s = t / half_;
    const std::array<double, 3> w = {(s - 1) * (s - 2) / 2, s * (2 - s), s * (s - 1) / 2};
    Vector dx(2 * n_, 0);
    for (std::size_t p = 0; p < 3; ++p) {
      const Point& at = points_[static_cast<std::size_t>(2 * k) + p];
      for (std::size_t i = 0; i < n_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n_; ++j)
          sum += at.dq[i * n_ + j] * x[j] + at.dv[i * n_ + j] * x[n_ + j] +
                 at.dtau[i * n_ + j] * (tau[j] - at.tau[j]);
        dx[n_ + i] += w[p] * sum;
      }
    }
    for (std::size_t i = 0; i < n_; ++i) dx[i] = x[n_ + i];
    return dx;
  }

  std::size_t n_;
  double half_;
  std::vector<Point> points_;
};

std::vector<Vector> predicted(const ControllerCore& core, const Trajectory& motion,
                              const Linearised& robot, const SampledStep& step, double delay,
                              Vector held) {
  const std::size_t n = core.n();
  AimedState at(n);
  Vector x(2 * n, 0), q(n), v(n);
  std::deque<std::pair<double, Vector>> coming;  // when, in s; torques
  std::vector<Vector> visited;
  const double period = core.period();
  for (long k = 0; k < periods_of(core, motion); ++k) {
    const double t = static_cast<double>(k) * period;
    const Desired& d = at.at(motion, t);
    for (std::size_t j = 0; j < n; ++j) {
      q[j] = d.q[j] + x[j];
      v[j] = d.v[j] + x[n + j];
    }
    visited.push_back(q);
    Vector tau(n);
    step(k, t, q, v, tau);
    coming.emplace_back(t + delay, std::move(tau));
    double from = 0;
    while (!coming.empty() && coming.front().first < t + period) {
      const double to = std::max(coming.front().first - t, 0.0);
      robot.advance(k, from, to, held, x);
      from = to;
      held = std::move(coming.front().second);
      coming.pop_front();
    }
    robot.advance(k, from, period, held, x);
  }
  return visited;
}

// What the core makes of the desired motion: its joint set points, and what rounding adds to its
// torques.
struct OpenLoop {
  std::vector<Vector> setpoint, rounding;  // filling included
  Vector torque;                           // at rest before the motion
};
OpenLoop open_loop_of(const ControllerCore& core, const Trajectory& motion) {
  OpenLoop o;
  CoreModel model(core);
  CoreLaw<double> law(core);
  SetPoints setpoints(core, motion);
  AimedState at(core.n());
  Vector q(core.n()), tau(core.n());
  unsigned status = 0;
  for (long k = -setpoints.filling(); k < periods_of(core, motion); ++k) {
    const double t = static_cast<double>(k) * core.period();
    const std::vector<Raw> words = core.measured_words(at.at(motion, t).q);
    const CoreResult r = model.step(core.setpoint_words(setpoints(t)), words);
    status |= r.status;
    o.setpoint.push_back(model.joint_setpoints());
    for (std::size_t j = 0; j < core.n(); ++j) q[j] = core.program.measured[j].value(words[j]);
    law.step(o.setpoint.back(), q, tau);
    Vector rounding(core.n()), torque(core.n());
    for (std::size_t j = 0; j < core.n(); ++j) {
      torque[j] = core.program.torque[j].format.value(r.torque[j]);
      rounding[j] = torque[j] - tau[j];
    }
    o.rounding.push_back(rounding);
    if (k < 0) o.torque = torque;
  }
  if (status != 0) {
    std::vector<std::string> what;
    if (status & 1U << unsigned(CoreFlag::saturated))
      what.emplace_back("torques reach their limits");
    if (status & 1U << unsigned(CoreFlag::unreachable))
      what.emplace_back("set points are out of reach or beyond joint limits");
    if (status & 1U << unsigned(CoreFlag::limited))
      what.emplace_back("velocities or accelerations exceed the core's ranges");
    throw Error(
        fmt::format("along the motion {}; the tracking of a limited controller is not "
                    "predicted: choose a slower motion or wider ranges",
                    fmt::join(what, ", and ")));
  }
  return o;
}

}  // namespace

CorePrediction predict_core(const ControllerCore& core, const Trajectory& motion) {
  check_motion(core, motion);
  const Linearised robot(core, motion);
  const OpenLoop open = open_loop_of(core, motion);
  const std::vector<Vector> wanted = desired(core, motion);
  IdealLaw ideal_law(core, motion);
  const Vector none(core.n(), 0);
  const auto ideal = predicted(core, motion, robot, std::ref(ideal_law), 0, none);

  // The core's law in double, with or without the rounding of its words.
  const auto core_motion = [&](bool rounded, double delay) {
    CoreLaw<double> law(core);
    SetPoints setpoints(core, motion);
    AimedState at(core.n());
    const int filling = setpoints.filling();
    Vector measured(core.n()), held(core.n());
    const auto step = [&](long k, double t, const Vector& q, const Vector&, Vector& tau) {
      const auto row = static_cast<std::size_t>(k + filling);
      measured = q;
      if (rounded) {
        const std::vector<Raw> words = core.measured_words(q);
        for (std::size_t j = 0; j < q.size(); ++j)
          measured[j] = core.program.measured[j].value(words[j]);
      }
      law.step(rounded ? open.setpoint[row] : setpoints(t), measured, tau);
      if (rounded)
        for (std::size_t j = 0; j < tau.size(); ++j) tau[j] += open.rounding[row][j];
    };
    for (int k = -filling; k < 0; ++k) step(k, k * core.period(), at.at(motion, 0).q, {}, held);
    return predicted(core, motion, robot, step, delay, held);
  };
  const auto filtered = core_motion(false, 0), late = core_motion(false, core.feedback_latency()),
             all = core_motion(true, core.feedback_latency());
  CorePrediction p;
  p.tracking = {rms_distance(ideal, wanted), rms_distance(all, wanted), rms_distance(all, ideal)};
  p.from_filter = rms_distance(filtered, ideal);
  p.from_latency = rms_distance(late, filtered);
  p.from_rounding = rms_distance(all, late);
  return p;
}

CoreLoop run_core_loop(const ControllerCore& core, const Trajectory& motion, const CoreStep& step) {
  check_motion(core, motion);
  CoreModel model(core);
  const CoreStep one = step ? step : [&](std::span<const Raw> s, std::span<const Raw> m) {
    return model.step(s, m);
  };
  CoreLoop loop;
  SetPoints setpoints(core, motion);
  AimedState at(core.n());
  const auto sample = [&](double t, const Vector& q, Vector& tau) {
    const CoreResult r = one(core.setpoint_words(setpoints(t)), core.measured_words(q));
    loop.status |= r.status;
    for (std::size_t j = 0; j < core.n(); ++j)
      tau[j] = core.program.torque[j].format.value(r.torque[j]);
    loop.torques.insert(loop.torques.end(), r.torque.begin(), r.torque.end());
  };
  Vector held(core.n());
  for (int k = -setpoints.filling(); k < 0; ++k)
    sample(k * core.period(), at.at(motion, 0).q, held);
  loop.torques.clear();
  const auto visited = simulated(
      core, motion,
      [&](long, double t, const Vector& q, const Vector&, Vector& tau) { sample(t, q, tau); },
      core.feedback_latency(), held);
  IdealLaw ideal_law(core, motion);
  const auto ideal = simulated(core, motion, std::ref(ideal_law), 0, Vector(core.n(), 0));
  const std::vector<Vector> wanted = desired(core, motion);
  loop.tracking = {rms_distance(ideal, wanted), rms_distance(visited, wanted),
                   rms_distance(visited, ideal)};
  loop.periods = static_cast<long>(visited.size());
  return loop;
}

}  // namespace parid::hardware
