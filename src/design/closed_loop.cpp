#include "design/closed_loop.hpp"

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

constexpr double longest_step = 1e-3;  // s, of the integration

// The robot over a period in which the torques change once, `late` after its start.
class SplitHold {
 public:
  SplitHold(const Robot& robot, const LoopTiming& t, double step) {
    whole_ = static_cast<int>(std::floor(t.latency / t.period * (1 + 1e-12)));
    const double late = std::max(0.0, t.latency - whole_ * t.period);
    const auto part = [&](double time) { return control::ZeroOrderHold(robot, time, step); };
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
  SplitHold body(plant, t, std::min(t.period / 2, longest_step));
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
      std::copy(v.begin(), v.end(), in_.v().begin());
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
    std::copy(here.v.begin(), here.v.end(), in_.v().begin());
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

// `law(k, now, next, q, v, tau)` computes the torques of period k from what is measured.
template <class Law>
TrackingError followed(const Robot& plant, const motion::Trajectory& trajectory,
                       const LoopTiming& t, const Law& law) {
  const auto n = static_cast<std::size_t>(plant.nv());
  SplitHold body(plant, t, longest_step);
  Desired now = sized(plant.nv()), next = now;
  std::vector<double> tau(n), none(n), off(n);
  ErrorSum sum;
  const auto periods = static_cast<long>(std::floor(trajectory.duration() / t.period + 1e-9));
  for (long k = 0; k <= periods; ++k) {
    const double start = static_cast<double>(k) * t.period;
    control::aim(trajectory, start, now);
    control::aim(trajectory, start + t.period, next);
    if (k == 0) {
      body.q() = now.q;
      body.v() = now.v;
      Workspace workspace(plant);
      inverse_dynamics(plant, workspace, now.q, none, none, tau);
      body.begin(tau);
    }
    for (std::size_t i = 0; i < n; ++i) off[i] = now.q[i] - body.q()[i];
    sum.add(off);
    if (sum.lost()) break;
    law(k, now, next, body.q(), body.v(), tau);
    body.advance(tau);
  }
  return sum.error();
}

}  // namespace

TrackingError predicted_tracking(const Robot& plant, const control::LawDesign& design,
                                 const motion::Trajectory& trajectory, const LoopTiming& t) {
  control::demand_single_freedoms(plant);
  control::StaleLaw<double> law(design.model.canonical(), control::law_kind(design.law),
                                design.gains);
  law.set_policy(design.policy);
  return followed(plant, trajectory, t,
                  [&](long k, const Desired& now, const Desired& next, const std::vector<double>& q,
                      const std::vector<double>& v, std::vector<double>& tau) {
                    if (k == 0) {
                      const Desired here = at_rest(now.q, plant.nv());
                      law.start(here, here, here.q.data(), here.v.data(), tau.data());
                    }
                    law.step(now, next, q.data(), v.data(), tau.data());
                  });
}

TrackingError predicted_tracking(const Robot& plant, Artefact& artefact,
                                 const motion::Trajectory& trajectory, const LoopTiming& t) {
  control::demand_single_freedoms(plant);
  StepReadings in(plant.nv());
  return followed(plant, trajectory, t,
                  [&](long k, const Desired& now, const Desired& next, const std::vector<double>& q,
                      const std::vector<double>& v, std::vector<double>& tau) {
                    std::copy(q.begin(), q.end(), in.q().begin());
                    if (k == 0) {
                      const Desired here = at_rest(now.q, plant.nv());
                      in.set_wanted(here, here);
                      std::copy(here.v.begin(), here.v.end(), in.v().begin());
                      artefact.begin(in);
                    }
                    std::copy(v.begin(), v.end(), in.v().begin());
                    in.set_wanted(now, next);
                    artefact.run(in, tau);
                  });
}

}  // namespace parid::design
