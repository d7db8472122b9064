#include "control/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/threads/thread_pool.hpp"
#include "control/link_group.hpp"
#include "control/noise.hpp"
#include "control/zero_order_hold.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

int asked_threads(int threads, const Robot& model) {
  demand_single_freedoms(model);
  if (model.canonical().has_mimic)
    throw Error(fmt::format(
        "'{}' has mimic joints, whose torques belong to two links; threads do not support them",
        model.name()));
  return std::clamp(thread_count(threads), 1, model.canonical().topology.n);
}

// Distributes links 1..n evenly over threads.
std::vector<int> grouped(int n, int threads) {
  std::vector<int> group(static_cast<std::size_t>(n) + 1);
  for (int i = 1; i <= n; ++i) group[static_cast<std::size_t>(i)] = (i - 1) * threads / n;
  return group;
}
std::vector<std::unique_ptr<LinkGroup>> made(const LawDesign& d, int threads, bool strict,
                                             LinkExchange& x) {
  const int n = d.model.canonical().topology.n;
  constexpr int oldest = Snapshot<1>::kept - 2;  // a neighbour may be one period ahead
  if (d.policy.depth() > oldest)
    throw Error(
        fmt::format("{}: reads values that are {} periods old, but threads keep {}; choose a "
                    "policy with newer values",
                    d.policy.id, d.policy.depth(), oldest));
  const std::vector<int> group = grouped(n, threads);
  std::vector<std::unique_ptr<LinkGroup>> all;
  for (int g = 0; g < threads; ++g) {
    int first = 1;
    while (group[static_cast<std::size_t>(first)] < g) ++first;
    int last = first;
    while (last < n && group[static_cast<std::size_t>(last) + 1] == g) ++last;
    all.push_back(std::make_unique<LinkGroup>(d, first, last, group, g, strict, x));
  }
  return all;
}

// Sleeps most of the time and polls the clock at the end, because sleeps often end late.
void wait_until(Clock::time_point t) {
  constexpr auto oversleeping = std::chrono::microseconds(80);
  if (t - Clock::now() > oversleeping) std::this_thread::sleep_until(t - oversleeping);
  for (int turn = 0; Clock::now() < t; ++turn) rest(turn);
}

struct Tally {
  double busy = 0, longest = 0;
  long late = 0, steps = 0;
};

// The threads of one exchange. If one of them or the caller throws, the exchange ends for all
// threads, and the destructor joins them.
class GroupThreads {
 public:
  explicit GroupThreads(LinkExchange& x) : x_(x) {}
  ~GroupThreads() { x_.over = true; }
  GroupThreads(const GroupThreads&) = delete;
  GroupThreads& operator=(const GroupThreads&) = delete;

  template <class Work>
  void add(Work work) {
    threads_.emplace_back([this, work = std::move(work)]() mutable { guarded(work); });
  }
  template <class Work>
  void guarded(Work& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
      x_.over = true;
    }
  }
  void join() {
    for (std::jthread& t : threads_) t.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  LinkExchange& x_;
  std::mutex failing_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // joined first
};

}  // namespace

ThreadReport run_on_threads(const Robot& plant, const LawDesign& design,
                            const Trajectory& trajectory, const ThreadOptions& o) {
  demand_single_freedoms(plant);
  if (!(o.rate > 0) || !(o.rate <= 1e6))
    throw Error(
        fmt::format("the control rate is {}; give periods per second, such as 1000, and at "
                    "most a million on threads",
                    o.rate));
  const auto n = static_cast<std::size_t>(plant.nv());
  const double period = 1 / o.rate, time = o.time > 0 ? o.time : trajectory.duration();
  const long last = std::max(1L, std::lround(time * o.rate));
  ThreadReport report;
  report.threads = asked_threads(o.threads, design.model);
  LinkExchange x(static_cast<int>(n));
  auto groups = made(design, report.threads, false, x);

  ZeroOrderHold body(plant, period, 1e-3);
  Desired now{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  aim(trajectory, period, now);
  const Desired next = now;
  aim(trajectory, 0, now);
  body.q = now.q;
  body.v = now.v;
  if (!o.start_offset.empty() && o.start_offset.size() != n)
    throw Error(fmt::format("the start offset has {} numbers; '{}' needs {}", o.start_offset.size(),
                            plant.name(), n));
  for (std::size_t i = 0; i < o.start_offset.size(); ++i) body.q[i] += o.start_offset[i];
  Noise noise(o.seed);
  std::vector<double> measured_q(n), measured_v(n);
  auto measure = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      measured_q[i] = body.q[i] + (o.position_noise > 0 ? o.position_noise * noise() : 0);
      measured_v[i] = body.v[i] + (o.velocity_noise > 0 ? o.velocity_noise * noise() : 0);
    }
  };
  for (auto& g : groups) g->start(now, next, body.q, body.v);
  x.publish(0, body.q, body.v);

  const Clock::time_point start = Clock::now() + std::chrono::milliseconds(5);
  auto instant = [&](long k) {
    return start +
           std::chrono::duration_cast<Clock::duration>(Seconds(period * static_cast<double>(k)));
  };
  std::vector<Tally> tally(groups.size());
  GroupThreads threads(x);
  for (std::size_t g = 0; g < groups.size(); ++g)
    threads.add([&, g, here = now, next = now]() mutable {
      std::vector<double> q(n), v(n);
      Tally t;
      for (long k = 1; k <= last; ++k) {
        wait_until(instant(k));
        // Measurement k is taken at the start of the period; it is complete once its last
        // coordinate is published.
        if (!waited(x, [&] { return x.measured.back().latest() >= k; })) break;
        const Clock::time_point begun = Clock::now();
        t.late += begun > instant(k + 1);
        for (std::size_t i = 0; i < n; ++i) {
          Snapshot<2>::Numbers m;
          const Snapshot<2>& from = x.measured[i];
          while (!from.read(from.latest(), m)) {
          }
          q[i] = m[0];
          v[i] = m[1];
        }
        const double at = period * static_cast<double>(k - 1);
        aim(trajectory, at, here);
        aim(trajectory, at + period, next);
        if (!groups[g]->step(k, here, next, q, v)) break;
        const double took = Seconds(Clock::now() - begun).count();
        t.busy += took;
        t.longest = std::max(t.longest, took);
        ++t.steps;
      }
      tally[g] = t;
    });

  std::vector<double> tau(n);
  for (long k = 1; k <= last; ++k) {
    wait_until(instant(k));
    measure();
    x.publish(k, measured_q, measured_v);
    double error = 0;
    aim(trajectory, period * static_cast<double>(k - 1), now);
    for (std::size_t i = 0; i < n; ++i) {
      const double e = std::abs(now.q[i] - body.q[i]);
      error = std::isfinite(e) ? std::max(error, e) : INFINITY;
    }
    report.max_error = std::max(report.max_error, error);
    report.final_error = error;
    if (!(error <= o.lost)) {
      report.diverged = true;
      break;
    }
    wait_until(instant(k + 1));
    bool late = false, at_limit = false;
    for (std::size_t i = 0; i < n; ++i) {
      Snapshot<1>::Numbers one;
      const Snapshot<1>& from = x.torque[i];
      while (!from.read(from.latest(), one)) {
      }
      tau[i] = one[0];
      if (o.limit_torques) {
        const double most = plant.limits()[i].effort;
        at_limit |= std::abs(tau[i]) > most;
        tau[i] = std::clamp(tau[i], -most, most);
      }
      late |= from.latest() < k;
    }
    ++report.periods, report.missed += late, report.limited += at_limit;
    body.advance(tau);
  }
  x.over = true;
  threads.join();
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
  const LawDesign design{robot,
                         "computed_torque",
                         {std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)},
                         policy,
                         false,
                         false};
  threads = asked_threads(threads, robot);
  LinkExchange x(static_cast<int>(n));
  auto groups = made(design, threads, true, x);
  const Desired still{robot.neutral(), std::vector<double>(n, 0.1), std::vector<double>(n, 0.1)};
  for (auto& g : groups) g->start(still, still, still.q, still.v);
  std::atomic<int> ready{0};
  std::vector<double> seconds(groups.size());
  auto work = [&](std::size_t g) {
    ++ready;
    if (!waited(x, [&] { return ready >= threads; })) return;
    const Clock::time_point begun = Clock::now();
    for (long k = 1; k <= periods; ++k) groups[g]->step(k, still, still, still.q, still.v);
    seconds[g] = Seconds(Clock::now() - begun).count();
  };
  GroupThreads others(x);
  for (std::size_t g = 1; g < groups.size(); ++g) others.add([&work, g] { work(g); });
  auto first = [&work] { work(0); };
  others.guarded(first);
  others.join();
  return *std::max_element(seconds.begin(), seconds.end()) / static_cast<double>(periods);
}

}  // namespace parid::control
