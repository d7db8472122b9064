#include "design/closed_loop.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <deque>

#include "control/law.hpp"
#include "control/zero_order_hold.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "parid/forward_friction.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/simulation.hpp"

namespace parid::design {
namespace {

// The robot over a period in which the torques change once, `late` after its start.
class SplitHold {
 public:
  SplitHold(const Robot& robot, const LoopTiming& t) {
    whole_ = static_cast<int>(std::floor(t.latency / t.period * (1 + 1e-12)));
    const double late = std::max(0.0, t.latency - whole_ * t.period);
    const auto part = [&](double time) {
      return control::ZeroOrderHold(robot, time, std::min(t.period / 2, 1e-3));
    };
    if (late > 1e-9 * t.period) parts_.push_back(part(late));
    if (t.period - late > 1e-9 * t.period) parts_.push_back(part(t.period - late));
    split_ = late > 1e-9 * t.period;
  }
  std::vector<double>& q() { return parts_.front().q; }
  std::vector<double>& v() { return parts_.front().v; }

  // All torques so far were these.
  void begin(const std::vector<double>& tau) {
    past_.assign(static_cast<std::size_t>(whole_) + 2, tau);
  }

  // tau: computed from the measurement at the start of this period.
  void advance(const std::vector<double>& tau) {
    past_.push_front(tau);
    past_.pop_back();
    const auto now = static_cast<std::size_t>(whole_);
    if (split_) {
      parts_[0].advance(past_[now + 1]);
      if (parts_.size() == 2) {
        parts_[1].q = parts_[0].q;
        parts_[1].v = parts_[0].v;
        parts_[1].advance(past_[now]);
        parts_[0].q = parts_[1].q;
        parts_[0].v = parts_[1].v;
      }
    } else {
      parts_[0].advance(past_[now]);
    }
  }

 private:
  std::vector<control::ZeroOrderHold> parts_;
  std::deque<std::vector<double>> past_;
  int whole_ = 0;
  bool split_ = false;
};

Desired at_rest(std::span<const double> q, int nv) {
  const std::vector<double> none(static_cast<std::size_t>(nv));
  return {{q.begin(), q.end()}, none, none};
}

// Deviations by period, after a disturbance of that size; shorter if it is gone or grown.
std::vector<double> deviations(const Robot& plant, Artefact& artefact, std::span<const double> q,
                               const LoopTiming& t, double size, double smallest, double largest,
                               int periods) {
  const int n = plant.nv();
  SplitHold body(plant, t);
  const Desired here = at_rest(q, n);
  std::copy(q.begin(), q.end(), body.q().begin());
  StepReadings in(n);
  in.set_wanted(here, here);
  const auto read = [&] {
    std::copy(body.q().begin(), body.q().end(), in.q().begin());
    std::copy(body.v().begin(), body.v().end(), in.v().begin());
  };
  read();
  artefact.begin(in);
  std::vector<double> tau(static_cast<std::size_t>(n)), all;
  artefact.run(in, tau);
  body.begin(tau);
  for (std::size_t i = 0; i < q.size(); ++i)
    body.q()[i] += size * std::cos(1.0 + 2.0 * static_cast<double>(i));
  for (int p = 0; p < periods; ++p) {
    read();
    artefact.run(in, tau);
    body.advance(tau);
    double off = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
      off = std::max({off, std::abs(body.q()[i] - q[i]), std::abs(body.v()[i]) * t.period});
    all.push_back(std::isfinite(off) ? off : INFINITY);
    if (!(off < largest) || off < smallest) break;
  }
  return all;
}

}  // namespace

double artefact_floor(const Robot& plant, Artefact& artefact, std::span<const double> q,
                      const LoopTiming& t) {
  double floor = 0;
  for (const double x :
       deviations(plant, artefact, q, t, 0, -1, 2 * artefact.least_disturbance(), 300))
    floor = std::max(floor, x);
  return floor;
}

double artefact_growth(const Robot& plant, Artefact& artefact, std::span<const double> q,
                       const LoopTiming& t, double floor) {
  control::demand_single_freedoms(plant);
  const double size = 2 * artefact.least_disturbance();
  const double lowest = std::max(1e-6 * size, 4 * floor),
               highest = std::max(artefact.largest_disturbance(), 10 * size);
  const std::vector<double> off = deviations(plant, artefact, q, t, size, lowest, highest, 6000);
  if (!std::isfinite(off.back())) return INFINITY;
  if (!(off.back() < highest) || off.back() < lowest)
    return std::pow(off.back() / size, 1.0 / static_cast<double>(off.size()));
  const std::size_t third = off.size() / 3;
  const auto largest = [&](std::size_t from) {
    return *std::max_element(off.begin() + static_cast<std::ptrdiff_t>(from),
                             off.begin() + static_cast<std::ptrdiff_t>(from + third));
  };
  // Rounding keeps what is left of it alive, more so near the boundary.
  if (largest(2 * third) < 0.1 * size)
    return std::pow(largest(2 * third) / size, 1.0 / static_cast<double>(off.size()));
  return std::pow(largest(2 * third) / largest(third), 1.0 / static_cast<double>(third));
}

double artefact_period(const Robot& plant, Artefact& artefact, std::span<const double> q,
                       double latency, double predicted) {
  // So that the predicted period itself is not one of those tried.
  double dies = predicted / 1.3, grows = predicted * 1.613;
  const double floor = artefact_floor(plant, artefact, q, {dies, std::min(latency, dies)});
  if (!(floor < 0.15 * artefact.least_disturbance())) return NAN;
  const auto decays = [&](double T) {
    return artefact_growth(plant, artefact, q, {T, std::min(latency, T)}, floor) < 1;
  };
  if (!decays(dies)) return 0;
  if (decays(grows)) return INFINITY;
  while (grows / dies > 1.003) {
    const double middle = std::sqrt(dies * grows);
    (decays(middle) ? dies : grows) = middle;
  }
  return std::sqrt(dies * grows);
}

namespace {

class ErrorSum {
 public:
  void add(std::span<const double> off) {
    for (const double x : off) {
      const double e = std::isfinite(x) ? std::abs(x) : INFINITY;
      error_.largest = std::max(error_.largest, e);
      squares_ += e * e;
      ++count_;
    }
    error_.lost |= !(error_.largest <= 1);
  }
  bool lost() const { return error_.lost; }
  TrackingError error() const {
    TrackingError e = error_;
    e.rms = count_ ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
    return e;
  }

 private:
  TrackingError error_;
  double squares_ = 0;
  long count_ = 0;
};

Desired sized(int nv) {
  const std::vector<double> none(static_cast<std::size_t>(nv));
  return {none, none, none};
}

// Torques that an artefact computes, held until the next ones, `latency` late.
class LateTorques : public TorqueSource {
 public:
  LateTorques(const Robot& plant, Artefact& artefact, const motion::Trajectory& trajectory,
              const LoopTiming& t, const TrackingOptions& o)
      : plant_(plant),
        artefact_(artefact),
        trajectory_(trajectory),
        t_(t),
        o_(o),
        in_(plant.nv()),
        computed_(static_cast<std::size_t>(plant.nv())),
        off_(computed_.size()),
        now_(sized(plant.nv())),
        next_(now_) {}

  void begin(double t, std::span<const double> q, std::span<const double> v) override {
    const double tiny = 1e-9 * t_.period;
    if (t >= static_cast<double>(periods_) * t_.period - tiny) measure(t, q, v);
    while (!due_.empty() && due_.front().first <= t + tiny) {
      held_ = due_.front().second;
      due_.pop_front();
    }
  }
  double next_break() const override {
    const double period = static_cast<double>(periods_) * t_.period;
    return due_.empty() ? period : std::min(period, due_.front().first);
  }
  void torque(double, std::span<const double>, std::span<const double>,
              std::span<double> tau) override {
    std::copy(held_.begin(), held_.end(), tau.begin());
  }
  std::string gives_up() const override { return sum_.lost() ? "the error exceeds 1" : ""; }
  TrackingError error() const { return sum_.error(); }

 private:
  void measure(double t, std::span<const double> q, std::span<const double> v) {
    control::aim(trajectory_, t, now_);
    control::aim(trajectory_, t + t_.period, next_);
    for (std::size_t k = 0; k < off_.size(); ++k) off_[k] = now_.q[k] - q[k];
    sum_.add(off_);
    in_.set_wanted(now_, next_);
    std::copy(q.begin(), q.end(), in_.q().begin());
    std::copy(v.begin(), v.end(), in_.v().begin());
    if (periods_ == 0) {
      start();
      in_.set_wanted(now_, next_);
    }
    artefact_.run(in_, computed_);
    if (o_.limit_torques)
      for (std::size_t k = 0; k < computed_.size(); ++k) {
        const double most = plant_.limits()[k].effort;
        computed_[k] = std::clamp(computed_[k], -most, most);
      }
    due_.emplace_back(t + t_.latency, computed_);
    ++periods_;
  }
  // The robot has stood at the start of the motion.
  void start() {
    const Desired here = at_rest(now_.q, plant_.nv());
    in_.set_wanted(here, here);
    artefact_.begin(in_);
    artefact_.run(in_, computed_);
    held_ = computed_;
  }

  const Robot& plant_;
  Artefact& artefact_;
  const motion::Trajectory& trajectory_;
  LoopTiming t_;
  TrackingOptions o_;
  StepReadings in_;
  std::vector<double> computed_, held_, off_;
  std::deque<std::pair<double, std::vector<double>>> due_;
  Desired now_, next_;
  long periods_ = 0;
  ErrorSum sum_;
};

}  // namespace

TrackingError artefact_tracking(const Robot& plant, Artefact& artefact,
                                const motion::Trajectory& trajectory, const LoopTiming& t,
                                const TrackingOptions& o) {
  control::demand_single_freedoms(plant);
  LateTorques source(plant, artefact, trajectory, t, o);
  SimulationOptions s;
  s.integrator = "dopri5";
  s.time = trajectory.duration();
  s.rate = 200;
  s.step = t.period / 10;
  s.tolerance = 1e-9;
  s.friction = o.friction;
  s.stop_at = StopAt::nothing;
  s.progress = o.progress;
  Simulation simulation(plant, s);
  Desired start = sized(plant.nv());
  control::aim(trajectory, 0, start);
  simulation.set_state(start.q, start.v);
  const SimulationResult result = simulation.run(source);
  TrackingError e = source.error();
  e.lost |= result.end == SimulationEnd::diverged;
  return e;
}

namespace {

// `law(k, now, next, tau)` computes the torques of period k along the exact motion; `kept` is the
// delay of the feedback in whole periods that the law itself adds.
template <class Law>
TrackingError linear_tracking(const Robot& plant, const LoopGains& g,
                              const motion::Trajectory& trajectory, const LoopTiming& t, int kept,
                              const Law& law) {
  constexpr int parts = 2;  // instants of a segment at which the disturbance is evaluated
  const auto n = static_cast<std::size_t>(plant.nv());
  Workspace workspace(plant);
  Desired now = sized(plant.nv()), next = now, between = now;
  std::vector<double> tau(n), needed(n), M(n * n), e(n), ed(n), push(n);
  const int whole = static_cast<int>(std::floor(t.latency / t.period * (1 + 1e-12)));
  const double late = std::max(0.0, t.latency - whole * t.period);
  struct Sent {
    std::vector<double> torque, correction;  // of the law along the motion, and kp e + kd ė
  };
  std::deque<Sent> sent;
  ErrorSum sum;
  const auto periods = static_cast<long>(std::floor(trajectory.duration() / t.period + 1e-9));
  const auto state = [&](double at, Desired& d) { control::aim(trajectory, at, d); };
  for (long k = 0; k <= periods; ++k) {
    const double start = static_cast<double>(k) * t.period;
    state(start, now);
    state(start + t.period, next);
    sum.add(e);
    if (sum.lost()) break;
    law(k, now, next, tau);
    std::vector<double> correction(n);
    for (std::size_t i = 0; i < n; ++i) correction[i] = -g.kp * e[i] - g.kd * ed[i];
    if (sent.empty()) {
      std::vector<double> rest(n), none(n);
      inverse_dynamics(plant, workspace, now.q, none, none, rest);
      sent.assign(static_cast<std::size_t>(whole + kept) + 2, {rest, none});
    }
    sent.push_front({tau, correction});
    sent.pop_back();
    mass_matrix(plant, workspace, now.q, M);
    const Eigen::LLT<Eigen::MatrixXd> inertia(Eigen::Map<const Eigen::MatrixXd>(
        M.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)));
    // e: measured minus desired; ë = M⁻¹ (applied − needed) + delayed correction.
    for (const bool second : {false, true}) {
      const double from = second ? late : 0, to = second ? t.period : late;
      if (!(to - from > 1e-9 * t.period)) continue;
      const auto age = static_cast<std::size_t>(whole + (second ? 0 : 1));
      const std::vector<double>& applied = sent[age].torque;
      const std::vector<double>& feedback = sent[age + static_cast<std::size_t>(kept)].correction;
      const double h = (to - from) / parts;
      for (int part = 0; part < parts; ++part) {
        state(start + from + (part + 0.5) * h, between);
        inverse_dynamics(plant, workspace, between.q, between.v, between.a, needed);
        for (std::size_t i = 0; i < n; ++i) push[i] = applied[i] - needed[i];
        Eigen::Map<Eigen::VectorXd> solved(push.data(), static_cast<Eigen::Index>(n));
        inertia.solveInPlace(solved);
        for (std::size_t i = 0; i < n; ++i) {
          const double a = push[i] + feedback[i];
          e[i] += h * (ed[i] + h / 2 * a);
          ed[i] += h * a;
        }
      }
    }
  }
  return sum.error();
}

}  // namespace

TrackingError predicted_tracking(const Robot& plant, const control::LawDesign& design,
                                 const motion::Trajectory& trajectory, const LoopTiming& t) {
  control::demand_single_freedoms(plant);
  const auto n = static_cast<std::size_t>(plant.nv());
  control::StaleLaw<double> law(design.model.canonical(), control::law_kind(design.law),
                                design.gains);
  law.set_policy(design.policy);
  const LoopGains g{design.gains.kp.front(), design.gains.kd.front()};
  const std::vector<double> none(n);
  return linear_tracking(
      plant, g, trajectory, t, design.policy.delay,
      [&](long k, const Desired& now, const Desired& next, std::vector<double>& tau) {
        if (k == 0) {
          const Desired here{now.q, none, none};
          law.start(here, here, now.q.data(), none.data(), tau.data());
        }
        law.step(now, next, now.q.data(), now.v.data(), tau.data());
      });
}

TrackingError predicted_tracking(const Robot& plant, const Robot&, const LoopGains& g,
                                 Artefact& artefact, const motion::Trajectory& trajectory,
                                 const LoopTiming& t) {
  control::demand_single_freedoms(plant);
  StepReadings in(plant.nv());
  return linear_tracking(
      plant, g, trajectory, t, 0,
      [&](long k, const Desired& now, const Desired& next, std::vector<double>& tau) {
        const auto set = [&](const Desired& a, const Desired& b) {
          in.set_wanted(a, b);
          std::copy(a.q.begin(), a.q.end(), in.q().begin());
          std::copy(a.v.begin(), a.v.end(), in.v().begin());
        };
        if (k == 0) {
          const Desired here = at_rest(now.q, plant.nv());
          set(here, here);
          artefact.begin(in);
        }
        set(now, next);
        artefact.run(in, tau);
      });
}

}  // namespace parid::design
