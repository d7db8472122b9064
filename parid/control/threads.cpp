#include "parid/control/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

#include "parid/control/snapshot.hpp"
#include "parid/control/stale.hpp"
#include "parid/error.hpp"
#include "parid/model/state.hpp"
#include "parid/run/answers.hpp"
#include "parid/run/crew.hpp"

namespace parid {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// What crosses joint i: outwards its parent's ω, ω̇ and the joint's acceleration, inwards f and n.
struct Crossing {
  Snapshot<9> outwards;
  Snapshot<6> inwards;
};

// What all threads share. Measurements are published joint by joint, so that they fit one size of snapshot;
// a thread takes them once the last one has its stamp.
struct Exchange {
  explicit Exchange(int n) : crossing(static_cast<std::size_t>(n) + 1), measured(n), torque(n) {}
  std::vector<Crossing> crossing;     // by link; used where its parent is another thread's
  std::vector<Snapshot<2>> measured;  // by coordinate: q, v
  std::vector<Snapshot<1>> torque;    // by coordinate
  std::atomic<bool> over{false};

  void publish(long stamp, const std::vector<double>& q, const std::vector<double>& v) {
    for (std::size_t k = 0; k < q.size(); ++k) measured[k].publish(stamp, {q[k], v[k]});
  }
};

void rest(int turn) {
  if (turn % 256 == 255) std::this_thread::yield();
}

// Waits until `ready` or the end of all; false for the latter.
template <class Ready>
bool waited(const Exchange& x, const Ready& ready) {
  for (int turn = 0; !ready(); ++turn) {
    if (x.over.load(std::memory_order_relaxed)) return false;
    rest(turn);
  }
  return true;
}

std::array<double, 3> numbers(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
template <std::size_t N>
Vec3<double> vector(const std::array<double, N>& x, std::size_t at) {
  return {x[at], x[at + 1], x[at + 2]};
}

// One thread's links.
class Group {
 public:
  Group(const LawDesign& d, int first, int last, const std::vector<int>& group, int mine,
        bool strict, Exchange& x)
      : c_(d.model.canonical()),
        kind_(law_kind(d.law)),
        gains_(d.gains),
        mechanism_(c_.mechanism),
        motion_(mechanism_),
        recursion_(mechanism_),
        first_(first),
        last_(last),
        strict_(strict),
        newest_(d.policy.by_chance),
        x_(x),
        joint_(static_cast<std::size_t>(c_.topology.n) + 1),
        past_(static_cast<std::size_t>(d.policy.delay) + 2,
              std::vector<double>(static_cast<std::size_t>(c_.nv))) {
    recursion_.policy = d.policy;
    recursion_.policy.by_chance = false;  // here chance is real
    for (int i = 1; i <= c_.topology.n; ++i) {
      const int parent = c_.topology.parent[static_cast<std::size_t>(i)];
      const bool own = group[static_cast<std::size_t>(i)] == mine;
      const bool parent_own = parent == 0 ? own : group[static_cast<std::size_t>(parent)] == mine;
      if (own && !parent_own) from_parent_.push_back(i);
      if (!own && parent_own) to_child_.push_back(i);
    }
  }

  // The state in which all threads start: as if the robot had stood so for long.
  void start(const Desired& now, const Desired& next, const std::vector<double>& q,
             const std::vector<double>& v) {
    load(now, next, q, v);
    const Policy asked = std::exchange(recursion_.policy, Policy());
    recursion_.period = 0;
    recursion_.torque(mechanism_, motion_, joint_.data());
    recursion_.settle();
    recursion_.policy = asked;
    store();
    for (auto& x : past_) x = tau_;
    publish_outwards(0), publish_inwards(0);
    recursion_.period = 0;
    for (int i = first_; i <= last_; ++i) publish_torque(0, i);
  }

  // Period k, from 1. False: the end came while it waited.
  bool step(long k, const Desired& now, const Desired& next, const std::vector<double>& q,
            const std::vector<double>& v) {
    load(now, next, q, v);
    recursion_.period = k - 1;
    recursion_.begin(mechanism_, motion_);
    if (!take_outwards(k)) return false;
    for (int i = first_; i <= last_; ++i) recursion_.forward(mechanism_, motion_, i);
    publish_outwards(k);
    if (!take_inwards(k)) return false;
    for (int i = last_; i >= first_; --i)
      joint_[static_cast<std::size_t>(i)] = recursion_.backward(mechanism_, motion_, i);
    publish_inwards(k);
    store();
    std::rotate(past_.begin(), past_.begin() + 1, past_.end());
    past_.back() = tau_;
    for (int i = first_; i <= last_; ++i) publish_torque(k, i);
    return true;
  }

  long older_reads = 0;

 private:
  void load(const Desired& now, const Desired& next, const std::vector<double>& q,
            const std::vector<double>& v) {
    const bool ahead = recursion_.policy.ahead;
    const Desired& aim = ahead ? next : now;
    const auto n = static_cast<std::size_t>(c_.nv);
    q_.resize(n), v_.resize(n), a_.resize(n), correction_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const double e = now.q[k] - q[k], ed = now.v[k] - v[k];
      correction_[k] = gains_.kp[k] * e + gains_.kd[k] * ed;
      q_[k] = ahead ? aim.q[k] - e : q[k];
      v_[k] = ahead ? aim.v[k] - ed : v[k];
      a_[k] = aim.a[k] + correction_[k];
      if (kind_ != LawKind::computed_torque) v_[k] = a_[k] = 0;
    }
    auto of = [](const std::vector<double>& x) {
      return [&x](int k) { return x[static_cast<std::size_t>(k)]; };
    };
    load_state(c_, motion_, of(q_), of(v_), of(a_));
    motion_.place(mechanism_);
  }
  void store() {
    tau_.resize(static_cast<std::size_t>(c_.nv));
    auto none = [](int) { return Wrench<double>{}; };
    auto of = [](const std::vector<double>& x) {
      return [&x](int k) { return x[static_cast<std::size_t>(k)]; };
    };
    store_torque(c_, joint_.data(), none, of(a_), of(tau_),
                 [&](int k, double x) { tau_[static_cast<std::size_t>(k)] = x; });
    for (std::size_t k = 0; k < tau_.size(); ++k) {
      if (kind_ == LawKind::pd) tau_[k] = 0;
      if (kind_ != LawKind::computed_torque) tau_[k] += correction_[k];
    }
  }
  void publish_torque(long k, int i) {
    const auto l = static_cast<std::size_t>(c_.joint[static_cast<std::size_t>(i)].velocity);
    const std::size_t at = past_.size() - 1 - static_cast<std::size_t>(recursion_.policy.delay);
    double tau = past_[at][l];
    if (recursion_.policy.predict_torque) tau += tau - past_[at - 1][l];
    x_.torque[l].publish(k, {tau});
  }

  // The stamp that a reading of that age wants, or what there is. Ages in the recursion's own past are as
  // they were taken then.
  template <int N>
  bool take(const Snapshot<N>& from, long k, int age, typename Snapshot<N>::Numbers& x) {
    const long wanted = newest_ ? std::max(k - age, std::min(from.latest(), k)) : k - age;
    if (age == 0 || strict_)
      if (!waited(x_, [&] { return from.latest() >= wanted; })) return false;
    if (from.read(wanted, x)) return true;
    ++older_reads;
    while (!from.read(from.latest(), x)) {
    }
    return true;
  }
  int youngest(Stale a, Stale b, Stale c) const {
    const Policy& p = recursion_.policy;
    return std::min({p[a].neighbour, p[b].neighbour, p[c].neighbour});
  }
  // Variables of mixed ages come in one snapshot, so it is the youngest's; those of the periods before have
  // been taken before.
  bool take_outwards(long k) {
    const int age = youngest(Stale::w, Stale::wd, Stale::e);
    for (const int i : from_parent_) {
      std::array<double, 9> x;
      if (!take(x_.crossing[static_cast<std::size_t>(i)].outwards, k, age, x)) return false;
      StaleLink<double>& parent =
          recursion_.old(c_.topology.parent[static_cast<std::size_t>(i)], age);
      parent.w = vector(x, 0), parent.wd = vector(x, 3);
      recursion_.old(i, age).e = vector(x, 6);
    }
    return true;
  }
  bool take_inwards(long k) {
    const int age = youngest(Stale::f, Stale::n, Stale::n);
    for (const int i : to_child_) {
      std::array<double, 6> x;
      if (!take(x_.crossing[static_cast<std::size_t>(i)].inwards, k, age, x)) return false;
      StaleLink<double>& child = recursion_.old(i, age);
      child.f = vector(x, 0), child.n = vector(x, 3);
    }
    return true;
  }
  void publish_outwards(long k) {
    for (const int i : to_child_) {
      const StaleLink<double>& parent =
          recursion_.now(c_.topology.parent[static_cast<std::size_t>(i)]);
      const auto w = numbers(parent.w), wd = numbers(parent.wd), e = numbers(recursion_.now(i).e);
      x_.crossing[static_cast<std::size_t>(i)].outwards.publish(
          k, {w[0], w[1], w[2], wd[0], wd[1], wd[2], e[0], e[1], e[2]});
    }
  }
  void publish_inwards(long k) {
    for (const int i : from_parent_) {
      const auto f = numbers(recursion_.now(i).f), n = numbers(recursion_.now(i).n);
      x_.crossing[static_cast<std::size_t>(i)].inwards.publish(
          k, {f[0], f[1], f[2], n[0], n[1], n[2]});
    }
  }

  const Canonical& c_;
  LawKind kind_;
  Gains gains_;
  Mechanism<double> mechanism_;
  Motion<double> motion_;
  StaleNewtonEuler<double> recursion_;
  int first_, last_;
  bool strict_, newest_;
  Exchange& x_;
  std::vector<int> from_parent_, to_child_;
  std::vector<double> joint_, q_, v_, a_, correction_, tau_;
  std::vector<std::vector<double>> past_;
};

int asked_threads(int threads, const Robot& model) {
  demand_single_freedoms(model);
  if (model.canonical().follows)
    throw Error(fmt::format(
        "'{}' has mimic joints, whose torques belong to two links; threads take robots without",
        model.name()));
  return std::clamp(threads > 0 ? threads : available_cores(), 1, model.canonical().topology.n);
}

// Links 1..n among threads, as many to each.
std::vector<int> grouped(int n, int threads) {
  std::vector<int> group(static_cast<std::size_t>(n) + 1);
  for (int i = 1; i <= n; ++i) group[static_cast<std::size_t>(i)] = (i - 1) * threads / n;
  return group;
}
std::vector<std::unique_ptr<Group>> made(const LawDesign& d, int threads, bool strict,
                                         Exchange& x) {
  const int n = d.model.canonical().topology.n;
  const std::vector<int> group = grouped(n, threads);
  std::vector<std::unique_ptr<Group>> all;
  for (int g = 0; g < threads; ++g) {
    int first = 1;
    while (group[static_cast<std::size_t>(first)] < g) ++first;
    int last = first;
    while (last < n && group[static_cast<std::size_t>(last) + 1] == g) ++last;
    all.push_back(std::make_unique<Group>(d, first, last, group, g, strict, x));
  }
  return all;
}

void aim(const Course& course, double t, Desired& d) {
  course.at(std::clamp(t, 0.0, course.duration()), d.q, d.v, d.a);
  if (t > course.duration())
    std::fill(d.v.begin(), d.v.end(), 0.0), std::fill(d.a.begin(), d.a.end(), 0.0);
}

// Sleeps through most of the time and watches the clock for the rest, for sleepers oversleep.
void wait_until(Clock::time_point t) {
  constexpr auto oversleeping = std::chrono::microseconds(80);
  if (t - Clock::now() > oversleeping) std::this_thread::sleep_until(t - oversleeping);
  for (int turn = 0; Clock::now() < t; ++turn) rest(turn);
}

// The robot over a period of constant torques, by Runge and Kutta's steps.
class Body {
 public:
  Body(const Robot& robot, double period)
      : robot_(robot),
        workspace_(robot),
        n_(static_cast<std::size_t>(robot.nv())),
        steps_(std::max(1, static_cast<int>(std::ceil(period / 1e-3)))),
        h_(period / steps_),
        mid_q_(n_),
        mid_v_(n_) {
    for (auto& k : k_) k.resize(n_);
  }
  std::vector<double> q, v;
  void advance(const std::vector<double>& tau) {
    for (int s = 0; s < steps_; ++s) {
      stage(0, 0, 0, tau), stage(1, h_ / 2, 0, tau), stage(2, h_ / 2, 1, tau), stage(3, h_, 2, tau);
      for (std::size_t i = 0; i < n_; ++i) {
        q[i] += h_ * (v[i] + h_ / 6 * (k_[0][i] + k_[1][i] + k_[2][i]));
        v[i] += h_ / 6 * (k_[0][i] + 2 * (k_[1][i] + k_[2][i]) + k_[3][i]);
      }
    }
  }

 private:
  void stage(int to, double h, int from, const std::vector<double>& tau) {
    // q of a stage moves with the velocity of the stage before it.
    for (std::size_t i = 0; i < n_; ++i) {
      const double before = to < 2 ? v[i] : v[i] + h_ / 2 * k_[to - 2][i];
      mid_q_[i] = q[i] + h * before;
      mid_v_[i] = v[i] + (to == 0 ? 0 : h * k_[from][i]);
    }
    forward_dynamics(robot_, workspace_, mid_q_, mid_v_, tau, k_[to]);
  }
  Robot robot_;
  Workspace workspace_;
  std::size_t n_;
  int steps_;
  double h_;
  std::array<std::vector<double>, 4> k_;
  std::vector<double> mid_q_, mid_v_;
};

struct Tally {
  double busy = 0, longest = 0;
  long late = 0, steps = 0;
};

}  // namespace

ThreadReport run_on_threads(const Robot& plant, const LawDesign& design, const Course& course,
                            const ThreadOptions& o) {
  demand_single_freedoms(plant);
  if (!(o.rate > 0) || !(o.rate <= 1e6))
    throw Error(
        fmt::format("the control rate is {}; give periods per second, such as 1000, and at "
                    "most a million on threads",
                    o.rate));
  const auto n = static_cast<std::size_t>(plant.nv());
  const double period = 1 / o.rate, time = o.time > 0 ? o.time : course.duration();
  const long last = std::max(1L, std::lround(time * o.rate));
  ThreadReport report;
  report.threads = asked_threads(o.threads, design.model);
  Exchange x(static_cast<int>(n));
  auto groups = made(design, report.threads, false, x);

  Body body(plant, period);
  Desired now{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  aim(course, period, now);
  const Desired next = now;
  aim(course, 0, now);
  body.q = now.q, body.v = now.v;
  for (auto& g : groups) g->start(now, next, body.q, body.v);
  x.publish(0, body.q, body.v);

  const Clock::time_point start = Clock::now() + std::chrono::milliseconds(5);
  auto instant = [&](long k) {
    return start +
           std::chrono::duration_cast<Clock::duration>(Seconds(period * static_cast<double>(k)));
  };
  std::vector<Tally> tally(groups.size());
  std::vector<std::thread> threads;
  for (std::size_t g = 0; g < groups.size(); ++g)
    threads.emplace_back([&, g] {
      Desired here = now, next = now;
      std::vector<double> q(n), v(n);
      Tally t;
      for (long k = 1; k <= last; ++k) {
        wait_until(instant(k));
        // Measurement k was made at the period's begin; it is there as soon as its last coordinate is.
        if (!waited(x, [&] { return x.measured.back().latest() >= k; })) break;
        const Clock::time_point begun = Clock::now();
        t.late += begun > instant(k + 1);
        for (std::size_t i = 0; i < n; ++i) {
          Snapshot<2>::Numbers m;
          const Snapshot<2>& from = x.measured[i];
          while (!from.read(from.latest(), m)) {
          }
          q[i] = m[0], v[i] = m[1];
        }
        const double at = period * static_cast<double>(k - 1);
        aim(course, at, here), aim(course, at + period, next);
        if (!groups[g]->step(k, here, next, q, v)) break;
        const double took = Seconds(Clock::now() - begun).count();
        t.busy += took, t.longest = std::max(t.longest, took), ++t.steps;
      }
      tally[g] = t;
    });

  std::vector<double> tau(n);
  for (long k = 1; k <= last; ++k) {
    wait_until(instant(k));
    x.publish(k, body.q, body.v);
    double error = 0;
    aim(course, period * static_cast<double>(k - 1), now);
    for (std::size_t i = 0; i < n; ++i) {
      const double e = std::abs(now.q[i] - body.q[i]);
      error = std::isfinite(e) ? std::max(error, e) : INFINITY;
    }
    report.max_error = std::max(report.max_error, error), report.final_error = error;
    if (!(error <= o.lost)) {
      report.diverged = true;
      break;
    }
    wait_until(instant(k + 1));
    bool late = false;
    for (std::size_t i = 0; i < n; ++i) {
      Snapshot<1>::Numbers one;
      const Snapshot<1>& from = x.torque[i];
      while (!from.read(from.latest(), one)) {
      }
      tau[i] = one[0];
      late |= from.latest() < k;
    }
    ++report.periods, report.missed += late;
    body.advance(tau);
  }
  x.over = true;
  for (std::thread& t : threads) t.join();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    report.older_reads += groups[g]->older_reads;
    report.late_starts += tally[g].late;
    report.longest_step = std::max(report.longest_step, tally[g].longest);
    if (tally[g].steps > 0)
      report.mean_step =
          std::max(report.mean_step, tally[g].busy / static_cast<double>(tally[g].steps));
  }
  return report;
}

double free_running_period(const Robot& robot, const Policy& policy, int threads, long periods) {
  const auto n = static_cast<std::size_t>(robot.nv());
  const LawDesign design{
      robot, "computed_torque", {std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)}, policy};
  threads = asked_threads(threads, robot);
  Exchange x(static_cast<int>(n));
  auto groups = made(design, threads, true, x);
  const Desired still{robot.neutral(), std::vector<double>(n, 0.1), std::vector<double>(n, 0.1)};
  for (auto& g : groups) g->start(still, still, still.q, still.v);
  std::atomic<int> ready{0};
  std::vector<double> seconds(groups.size());
  auto work = [&](std::size_t g) {
    ++ready;
    for (int turn = 0; ready < threads; ++turn) rest(turn);
    const Clock::time_point begun = Clock::now();
    for (long k = 1; k <= periods; ++k) groups[g]->step(k, still, still, still.q, still.v);
    seconds[g] = Seconds(Clock::now() - begun).count();
  };
  std::vector<std::thread> others;
  for (std::size_t g = 1; g < groups.size(); ++g) others.emplace_back(work, g);
  work(0);
  for (std::thread& t : others) t.join();
  return *std::max_element(seconds.begin(), seconds.end()) / static_cast<double>(periods);
}

}  // namespace parid
