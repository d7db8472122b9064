// The public functions of parid/design.hpp.

#include "design/controller_design.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "base/threads/thread_pool.hpp"
#include "control/policy.hpp"
#include "control/stability/stability.hpp"
#include "design/candidates.hpp"
#include "design/closed_loop.hpp"
#include "design/delivery.hpp"
#include "design/measure.hpp"
#include "design/pareto.hpp"
#include "design/timed_loop.hpp"
#include "model/given_values.hpp"
#include "motion/planned_trajectory.hpp"
#include "parid/design.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"

namespace parid {
namespace {

using namespace design;

constexpr DesignGoalInfo goal_list[] = {
    {DesignGoal::bandwidth, "bandwidth", "the highest reachable bandwidth"},
    {DesignGoal::cheapest, "cheapest", "the lowest known price"},
    {DesignGoal::least_power, "least-power", "the lowest known power"},
    {DesignGoal::fewest_processors, "fewest-processors", "the fewest processors"},
};

constexpr double in_degrees = 180 / std::numbers::pi;

void check_options(const Robot& plant, const Robot& model, const DesignOptions& o) {
  control::demand_single_freedoms(plant);
  control::demand_single_freedoms(model);
  if (plant.nv() != model.nv() || plant.nq() != model.nq())
    throw Error(fmt::format("the controller's model '{}' has {} coordinates, but robot '{}' has {}",
                            model.name(), model.nv(), plant.name(), plant.nv()));
  const auto above_zero = [](const char* what, double x) {
    if (!(x > 0) || !std::isfinite(x))
      throw Error(fmt::format("{} is {}; give a number above zero", what, x));
  };
  if (o.rate) above_zero("rate", *o.rate);
  if (o.bandwidth) above_zero("bandwidth", *o.bandwidth);
  above_zero("fastest_rate", o.fastest_rate);
  above_zero("acceleration", o.acceleration);
  if (!(o.gain_margin > 1) || !std::isfinite(o.gain_margin))
    throw Error(fmt::format("gain_margin is {}; give a factor above 1, such as 2", o.gain_margin));
  if (!(o.phase_margin > 0 && o.phase_margin < 90))
    throw Error(fmt::format("phase_margin is {}; give degrees between 0 and 90, such as 45",
                            o.phase_margin));
  for (const int w : o.words)
    if (w < 8 || w > 62)
      throw Error(fmt::format("words: {} bits are out of range; give 8 to 62", w));
  for (const int p : o.processors)
    if (p < 1 || p > 1000)
      throw Error(fmt::format("processors: {} is out of range; give 1 to 1000", p));
  if (o.poses.size() % static_cast<std::size_t>(plant.nq()) != 0)
    throw std::invalid_argument(
        fmt::format("poses: {} numbers; give a multiple of {}", o.poses.size(), plant.nq()));
  model::require_finite("poses", o.poses);
}

// Loops of one policy at all poses.
class PolicyLoops {
 public:
  PolicyLoops(const Robot& plant, const Robot& model, const std::vector<double>& poses)
      : plant_(plant), model_(model), poses_(poses) {}

  void add(const std::string& policy) { loops_[policy]; }
  void build(base::ThreadPool& pool) {
    std::vector<std::pair<const std::string, std::vector<TimedLoop>>*> all;
    for (auto& entry : loops_) all.push_back(&entry);
    pool.share(all.size(), [&](int, std::size_t k) {
      const auto nq = static_cast<std::size_t>(plant_.nq());
      const control::LawDesign law{model_, "computed_torque",
                                   {},     control::bound(control::policy(all[k]->first), model_),
                                   false,  false};
      for (std::size_t at = 0; at < poses_.size(); at += nq)
        all[k]->second.emplace_back(plant_, law, std::span(poses_).subspan(at, nq));
    });
  }
  std::span<const TimedLoop> of(const std::string& policy) const { return loops_.at(policy); }

 private:
  const Robot& plant_;
  const Robot& model_;
  const std::vector<double>& poses_;
  std::map<std::string, std::vector<TimedLoop>> loops_;
};

std::string milliseconds(double s) {
  return s < 1e-3 ? fmt::format("{:.3g} µs", 1e6 * s) : fmt::format("{:.3g} ms", 1e3 * s);
}

LoopTiming timing_of(const DesignCandidate& c) { return {c.period, c.latency}; }

double least_bandwidth(std::span<const TimedLoop> loops, const LoopTiming& t, const LoopGains& g) {
  double least = INFINITY;
  for (const TimedLoop& loop : loops) least = std::min(least, loop.bandwidth(t, g));
  return least;
}

// The largest position error that torques off by these cause at rest.
double position_noise(const Robot& plant, const std::vector<double>& poses,
                      const std::vector<double>& torque, double kp) {
  const auto n = static_cast<std::size_t>(plant.nv());
  Workspace workspace(plant);
  std::vector<double> none(n), tau(n), zero_a(n), a(n);
  double worst = 0;
  for (std::size_t at = 0; at < poses.size(); at += static_cast<std::size_t>(plant.nq())) {
    const auto q = std::span(poses).subspan(at, static_cast<std::size_t>(plant.nq()));
    std::vector<double> sum(n);
    inverse_dynamics(plant, workspace, q, none, none, tau);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> pushed = tau;
      pushed[k] += torque[k];
      forward_dynamics(plant, workspace, q, none, pushed, a);
      for (std::size_t i = 0; i < n; ++i) sum[i] += std::abs(a[i]);
    }
    for (const double x : sum) worst = std::max(worst, x / kp);
  }
  return worst;
}

void judge(Candidate& candidate, const Robot& plant, const std::vector<double>& poses,
           std::span<const TimedLoop> loops, const DesignOptions& o) {
  DesignCandidate& c = candidate.public_;
  if (!c.refused.empty()) return;
  c.period = o.rate ? 1 / *o.rate : std::max(c.shortest_period, 1 / o.fastest_rate);
  if (c.shortest_period > c.period * (1 + 1e-9)) {
    c.refused = fmt::format("a step takes {:.3g} ms, longer than the period of {:.3g} ms",
                            1e3 * c.shortest_period, 1e3 * c.period);
    return;
  }
  c.latency = c.step_time + c.jitter;
  const LoopTiming t = timing_of(c);
  const double delay = t.period / 2 + t.latency;
  const MarginWish wish{o.gain_margin, o.phase_margin / in_degrees};
  const double largest = largest_gain(loops, t, wish, 0.5 / delay, &c.worst_pose);
  if (!(largest > 0)) {
    c.refused = fmt::format(
        "no gains have these margins at pose {}: data are up to {} old when torques act",
        c.worst_pose + 1, milliseconds(c.latency + c.oldest * c.period));
    return;
  }
  LoopGains g = LoopGains::critical(largest);
  c.reachable = least_bandwidth(loops, t, g);
  if (o.bandwidth && c.reachable < *o.bandwidth)
    c.refused = fmt::format("it reaches {:.3g} Hz; {:g} are wanted", c.reachable, *o.bandwidth);
  c.bandwidth = c.reachable;
  if (o.bandwidth && c.refused.empty()) {  // the least gains that are enough
    double low = 0, high = largest;
    for (int turn = 0; turn < 12 && high > 1.005 * low; ++turn) {
      const double middle = low == 0 ? high * *o.bandwidth / c.reachable : std::sqrt(low * high);
      const double reached = least_bandwidth(loops, t, LoopGains::critical(middle));
      if (reached >= *o.bandwidth) {
        high = middle;
        c.bandwidth = reached;
        if (low == 0) low = 0.5 * middle;
      } else {
        low = middle;
      }
    }
    g = LoopGains::critical(high);
  }
  c.kp = g.kp;
  c.kd = g.kd;
  c.gain_margin = INFINITY;
  c.phase_margin = 180;
  for (const TimedLoop& loop : loops) {
    const LoopMargins m = loop.margins(t, g);
    c.gain_margin = std::min(c.gain_margin, m.gain);
    c.phase_margin = std::min(c.phase_margin, m.phase * in_degrees);
  }
  c.largest_period = INFINITY;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const double longest = std::isfinite(c.largest_period) ? c.largest_period : 10;
    const double safe = largest_period(loops.subspan(k, 1), g, t.latency, t.period, longest);
    if (safe < c.largest_period) {
      c.largest_period = safe;
      c.worst_pose = k;
    }
  }
  if (!candidate.torque_error.empty())
    c.noise = position_noise(plant, poses, candidate.torque_error, g.kp);
}

bool usable(const DesignCandidate& c) { return c.refused.empty() && c.reachable > 0; }

std::optional<double> goal_cost(DesignGoal goal, const DesignCandidate& c) {
  switch (goal) {
    case DesignGoal::cheapest: return c.price;
    case DesignGoal::least_power: return c.power;
    case DesignGoal::fewest_processors: return c.processors;
    default: return 0;
  }
}

// Bandwidths within 5 % count as equal.
long level(const DesignCandidate& c) {
  return c.reachable > 0 ? std::lround(std::log(c.reachable) / std::log(1.05)) : -1000;
}

// Best first by the goal; then the refused, those that came nearest first. Among equals, a known
// and lower price, lower power, fewer processors and the shorter step.
bool better(DesignGoal goal, const DesignCandidate& a, const DesignCandidate& b) {
  if (usable(a) != usable(b)) return usable(a);
  if (usable(a)) {
    const auto ca = goal_cost(goal, a), cb = goal_cost(goal, b);
    if (ca.has_value() != cb.has_value()) return ca.has_value();
    if (ca && *ca != *cb) return *ca < *cb;
  }
  if (level(a) != level(b)) return level(a) > level(b);
  const auto known = [](const std::optional<double>& x) { return x.value_or(INFINITY); };
  if (known(a.price) != known(b.price)) return known(a.price) < known(b.price);
  if (known(a.power) != known(b.power)) return known(a.power) < known(b.power);
  if (a.processors != b.processors) return a.processors < b.processors;
  return a.step_time < b.step_time;
}

const DesignCandidate* best_where(const DesignResult& r, DesignGoal goal, const auto& holds) {
  const DesignCandidate* best = nullptr;
  for (const DesignCandidate& c : r.candidates)
    if (holds(c) && (!best || better(goal, c, *best))) best = &c;
  return best;
}

void explain(DesignResult& r, const DesignOptions& o) {
  auto& why = r.why;
  const auto refused = static_cast<std::size_t>(std::count_if(
      r.candidates.begin(), r.candidates.end(), [](const auto& c) { return !usable(c); }));
  if (r.chosen < 0) {
    why.push_back(fmt::format("None of {} candidates fulfils the wish.", r.candidates.size()));
    for (std::size_t k = 0; k < std::min<std::size_t>(3, r.candidates.size()); ++k)
      if (!r.candidates[k].refused.empty())
        why.push_back(fmt::format("{}: {}.", r.candidates[k].id, r.candidates[k].refused));
    return;
  }
  const DesignCandidate& w = r.candidates[static_cast<std::size_t>(r.chosen)];
  std::string first = fmt::format("{} has {} of {} candidates, {} of which are refused", w.id,
                                  goal_list[static_cast<std::size_t>(o.goal)].meaning,
                                  r.candidates.size(), refused);
  if (o.bandwidth) first += fmt::format(", among those that reach {:g} Hz", *o.bandwidth);
  why.push_back(first + ".");
  why.push_back(fmt::format(
      "A step takes {}; with a period of {} the oldest data are {} old when the torques act. With "
      "kd = {:.3g}/s its bandwidth is {:.3g} Hz; the largest gains with the margins reach {:.3g} "
      "Hz.",
      milliseconds(w.step_time), milliseconds(w.period),
      milliseconds(w.latency + w.oldest * w.period), w.kd, w.bandwidth, w.reachable));
  if (o.goal != DesignGoal::bandwidth) {
    const DesignCandidate* fastest = best_where(r, DesignGoal::bandwidth, usable);
    if (fastest && fastest != &w)
      why.push_back(fmt::format("{} would reach {:.3g} Hz, {:.1f} times as much.", fastest->id,
                                fastest->reachable, fastest->reachable / w.reachable));
  }
  // The same machine computed in other ways.
  std::vector<std::string> others;
  for (const DesignCandidate& c : r.candidates)
    if (&c != &w && c.target == w.target && c.processors == w.processors && usable(c) &&
        others.size() < 3)
      others.push_back(
          fmt::format("{} {:.3g} Hz ({} per step{})", c.method == "links" ? c.policy : c.method,
                      c.reachable, milliseconds(c.step_time),
                      c.oldest > 0 ? fmt::format(", data up to {} periods old", c.oldest) : ""));
  if (!others.empty())
    why.push_back(fmt::format("The same machine in other ways: {}.", fmt::join(others, "; ")));
  // Where stale data do not pay.
  for (const DesignCandidate& c : r.candidates) {
    if (c.method != "links" || c.policy == "exact" || !usable(c)) continue;
    const DesignCandidate* alone = best_where(r, DesignGoal::bandwidth, [&](const auto& x) {
      return x.target == c.target && x.policy == "exact" && usable(x);
    });
    if (!alone) continue;
    if (c.step_time < alone->step_time && c.reachable < alone->reachable) {
      why.push_back(fmt::format(
          "{} takes {} instead of {} per step, but its data are older: it reaches {:.3g} Hz, {} "
          "{:.3g} Hz.",
          c.id, milliseconds(c.step_time), milliseconds(alone->step_time), c.reachable, alone->id,
          alone->reachable));
      break;
    }
  }
  std::map<std::string, std::size_t> reasons;
  for (const DesignCandidate& c : r.candidates)
    if (!c.refused.empty() && c.target != w.target && reasons[c.target]++ == 0)
      if (std::none_of(r.candidates.begin(), r.candidates.end(),
                       [&](const auto& x) { return x.target == c.target && usable(x); }))
        why.push_back(
            fmt::format("No {}: {}, for example, is refused: {}.", c.target, c.id, c.refused));
}

constexpr DesignAssumption assumption_list[] = {
    {"step_time",
     "operations of the program and messages of its static schedule, times the target's figures; "
     "those are estimates unless the target's file says measured"},
    {"reachable, bandwidth, gain_margin, phase_margin",
     "linearised at rest at each pose, the worst pose; all joints' torques changed alike; rigid "
     "joints, exact measurements, no friction, no torque limits; torques act step time and jitter "
     "after the measurement"},
    {"largest_period",
     "the same linearisation; the first period, from the candidate's own upwards, at which the "
     "spectral radius reaches 1"},
    {"noise",
     "the largest errors of fixed-point torques seen in 300 random states, all at once, "
     "against the stiffness kp at rest; an estimate, no bound"},
    {"tracking",
     "the law in double precision, or the fixed-point machine, simulated with the robot: data of "
     "the "
     "policy's ages, torques held and late by step time and jitter; no friction, no torque limits"},
    {"price, power", "of the target's file, per device; unknown ones are absent"},
    {"luts", "estimated from synthesized machines (docs/hardware.md), not placed and routed"},
};

}  // namespace

std::vector<DesignTargetInfo> design_targets() {
  std::vector<DesignTargetInfo> all;
  for (const EmbeddedTarget& t : embedded_targets()) {
    const design::Target target = design::target(t.name);
    all.push_back({target.id, target.title, design::name_of(target.kind), target.source});
  }
  return all;
}

std::string design_target_file(const std::string& id) { return toml_of(target(id)); }

std::string measure_design_target(const std::string& title) {
  return toml_of(measured_target(title));
}

std::span<const DesignGoalInfo> design_goals() { return goal_list; }

DesignGoal design_goal(std::string_view id) {
  std::vector<std::string> names;
  for (const DesignGoalInfo& g : goal_list) {
    if (id == g.id) return g.value;
    names.emplace_back(g.id);
  }
  throw Error(fmt::format("unknown goal '{}'; {}choose from {}", id, base::did_you_mean(id, names),
                          fmt::join(names, ", ")));
}

std::span<const DesignAssumption> design_assumptions() { return assumption_list; }

DesignResult design::designed(const Robot& plant, const Robot& model,
                              const motion::Trajectory* motion, const DesignOptions& o) {
  check_options(plant, model, o);
  DesignResult r;
  r.poses = o.poses;
  if (r.poses.empty()) {
    r.poses = plant.neutral();
    if (o.random_poses > 0) {
      const std::vector<double> others = control::random_poses(plant, o.random_poses, o.seed);
      r.poses.insert(r.poses.end(), others.begin(), others.end());
    }
  }
  std::vector<Candidate> all = candidates(model, o);
  if (all.empty())
    throw Error("no target can run any of these policies on this robot; give others, or `exact`");
  base::ThreadPool pool(base::thread_count(o.threads));
  PolicyLoops loops(plant, model, r.poses);
  for (const Candidate& c : all) loops.add(c.public_.policy);
  loops.build(pool);
  if (o.progress) o.progress(0.1);
  std::atomic<std::size_t> done{0};
  pool.share(all.size(), [&](int worker, std::size_t k) {
    judge(all[k], plant, r.poses, loops.of(all[k].public_.policy), o);
    const double share = static_cast<double>(++done) / static_cast<double>(all.size());
    if (worker == 0 && o.progress) o.progress(0.1 + (motion ? 0.6 : 0.9) * share);
  });
  std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
    return better(o.goal, a.public_, b.public_);
  });
  for (const Candidate& c : all) r.candidates.push_back(c.public_);
  mark_fronts(r.candidates);
  if (usable(r.candidates.front()) && goal_cost(o.goal, r.candidates.front())) r.chosen = 0;
  if (motion) {
    constexpr std::size_t few = 24;
    std::vector<std::size_t> asked;
    for (std::size_t k = 0; k < r.candidates.size(); ++k)
      if (usable(r.candidates[k]) && (static_cast<int>(k) == r.chosen ||
                                      !r.candidates[k].front.empty() || r.candidates.size() <= few))
        asked.push_back(k);
    done = 0;
    pool.share(asked.size(), [&](int worker, std::size_t k) {
      DesignCandidate& c = r.candidates[asked[k]];
      const TrackingError e = predicted_error(plant, model, c, *motion, o.acceleration);
      c.tracking_largest = e.largest;
      c.tracking_rms = e.rms;
      const double share = static_cast<double>(++done) / static_cast<double>(asked.size());
      if (worker == 0 && o.progress) o.progress(0.7 + 0.3 * share);
    });
  }
  explain(r, o);
  r.acceleration = o.acceleration;
  return r;
}

namespace {

const motion::Trajectory* trajectory_of(const Robot& plant, const PlannedTrajectory* motion) {
  if (!motion) return nullptr;
  const PlannedTrajectory::Body& body = motion->body();
  if (body.robot.nq() != plant.nq() || body.robot.nv() != plant.nv())
    throw std::invalid_argument("motion: it is of a robot with other coordinates");
  return body.trajectory.get();
}

}  // namespace

DesignResult design_controller(const Robot& plant, const Robot& model,
                               const PlannedTrajectory* motion, const DesignOptions& o) {
  return designed(plant, model, trajectory_of(plant, motion), o);
}

std::vector<CodeFile> design_files(const Robot& model, const DesignCandidate& c,
                                   const DesignResult& r) {
  return delivered_files(model, c, r);
}

std::string design_picture(const DesignResult& r, const std::string& title) {
  return pareto_svg(r, title);
}

DesignVerification design::verified(const Robot& plant, const Robot& model,
                                    const motion::Trajectory* motion, const DesignCandidate& c,
                                    const DesignResult& r, const DesignVerificationOptions& o) {
  if (!c.refused.empty()) throw Error(fmt::format("{} is refused: {}", c.id, c.refused));
  DesignVerification v;
  const auto artefact = artefact_of(model, c, r.acceleration);
  const auto nq = static_cast<std::size_t>(plant.nq());
  const auto pose = std::span(r.poses).subspan(c.worst_pose * nq, nq);
  v.predicted_period = c.largest_period;
  v.period = artefact_period(plant, *artefact, pose, c.latency, c.largest_period);
  if (o.progress) o.progress(motion ? 0.5 : 1);
  if (!motion) return v;
  const TrackingError predicted = predicted_error(plant, model, c, *motion, r.acceleration);
  TrackingOptions t;
  t.limit_torques = o.limit_torques;
  t.friction = o.friction;
  if (o.progress) t.progress = [&](double share) { o.progress(0.5 + 0.5 * share); };
  const TrackingError e = artefact_tracking(plant, *artefact, *motion, {c.period, c.latency}, t);
  v.predicted_largest = predicted.largest;
  v.predicted_rms = predicted.rms;
  v.largest = e.largest;
  v.rms = e.rms;
  v.lost = e.lost;
  return v;
}

DesignVerification verify_design(const Robot& plant, const Robot& model,
                                 const PlannedTrajectory* motion, const DesignCandidate& c,
                                 const DesignResult& r, const DesignVerificationOptions& o) {
  return verified(plant, model, trajectory_of(plant, motion), c, r, o);
}

}  // namespace parid
