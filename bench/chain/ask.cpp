// The default lengths show where lanes and threads begin to pay off.
//
// Threads that share one evaluation must be awake, and other programs delay them more than a single
// thread: so each turn of a contestant begins with a fifth of a millisecond that is not timed, and
// the result is the fastest handful of evaluations of all turns.

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "bench/benchmark.hpp"
#include "bench/chain/contestant.hpp"
#include "bench/layer.hpp"
#include "model/format/load.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/robot.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "tests/random_robot.hpp"

namespace parid::bench {
namespace {

// The caller keeps the first core; while threads are created it moves away, and they stay on the
// cores where they were created. Otherwise a busy system wakes them on the caller's core.
class Cores {
 public:
  Cores() {
    sched_getaffinity(0, sizeof all_, &all_);
    CPU_ZERO(&first_);
    rest_ = all_;
    for (int c = 0; c < CPU_SETSIZE && CPU_COUNT(&first_) == 0; ++c)
      if (CPU_ISSET(c, &all_)) {
        CPU_SET(c, &first_);
        CPU_CLR(c, &rest_);
      }
    keep_first();
  }
  void keep_first() const { sched_setaffinity(0, sizeof first_, &first_); }
  void let_go() const { sched_setaffinity(0, sizeof all_, &all_); }
  void stand_aside() const {
    if (CPU_COUNT(&rest_) > 0) sched_setaffinity(0, sizeof rest_, &rest_);
  }

 private:
  cpu_set_t all_, first_, rest_;
};

using Clock = std::chrono::steady_clock;
double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Inputs alternate, because some libraries keep a joint's last angle.
struct Turns {
  const std::vector<RandomState>& states;
  std::vector<double> tau;
  std::size_t at = 0;

  double few(const ChainContestant& c, int count) {
    const auto start = Clock::now();
    for (int k = 0; k < count; ++k) {
      const RandomState& s = states[at++ % states.size()];
      c.run(s.q.data(), s.v.data(), s.a.data(), tau.data());
    }
    return nanoseconds_since(start) / count;
  }
  double turn(const ChainContestant& c, double turn_ns) {
    const auto start = Clock::now();
    double estimate = few(c, 1);
    while (nanoseconds_since(start) < 2e5) estimate = few(c, 1);
    const int count = std::clamp(static_cast<int>(2e4 / estimate), 1, 64);
    double best = 1e300;
    for (const auto timed = Clock::now(); best == 1e300 || nanoseconds_since(timed) < turn_ns;)
      best = std::min(best, few(c, count));
    return best;
  }
};

}  // namespace

void ask_chain(const Options& o, Report& report) {
  std::vector<std::string> robots;
  for (const int n : {8, 16, 32, 64, 128, 256, 1024, 4096, 16384})
    robots.push_back(fmt::format("chain:{}", n));
  robots = o.robots_or(robots, {"chain:64", "chain:1024"});
  const Cores cores;
  for (const std::string& name : robots) {
    const Description d = load_description(name);
    const Robot robot(d);
    const int n = robot.nv();
    Rng rng(1);
    std::vector<RandomState> states;
    for (int k = 0; k < 4; ++k) states.push_back(random_state(rng, d));
    ChainContestants all;
#if defined(PARID_HAVE_KDL)
    add_kdl(all, d);
#endif
    cores.stand_aside();
    add_parid(all, robot.canonical());
    cores.keep_first();
    add_arrangements(all, robot.canonical());
    Turns turns{states, std::vector<double>(n), 0};
    std::vector<double> best(all.size(), 1e300);
    for (int round = 0; round < 24; ++round)
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t i = (k + static_cast<std::size_t>(round)) % all.size();
        best[i] = std::min(best[i], turns.turn(all[i], 2e6));
      }
    std::size_t serial = 0;
    while (all[serial].name != "parid serial") ++serial;
    const ChainChoice chosen = chain_choice(robot.canonical(), 2);
    if (report.tables)
      fmt::print("\n{:<24} {:>8} {:>12} {:>10} {:>10}\n", name + ", one evaluation", "threads",
                 "ns", serial ? "× KDL" : "", "× serial");
    std::vector<double> want(n), got(n);
    const RandomState& s = states[0];
    all[0].run(s.q.data(), s.v.data(), s.a.data(), want.data());
    double scale = 0;
    for (double x : want) scale = std::max(scale, std::abs(x));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double to_kdl = serial ? best[0] / best[k] : 0;
      if (report.tables)
        fmt::print("  {:<22} {:>8} {:>12.0f} {:>10.2f} {:>10.2f}\n", all[k].name, all[k].threads,
                   best[k], to_kdl, best[serial] / best[k]);
      all[k].run(s.q.data(), s.v.data(), s.a.data(), got.data());
      double off = 0;
      for (int i = 0; i < n; ++i) off = std::max(off, std::abs(got[i] - want[i]) / scale);
      if (off > 1e-11 && report.tables)
        fmt::print("    its torques differ from {}'s by {:.1e}\n", all[0].name, off);
      report.results.push_back(
          {{"robot", name},
           {"what", "chain"},
           {"batch", 1},
           {"threads", all[k].threads},
           {"contestant", all[k].name},
           {"ns", best[k]},
           {"baseline", serial ? nlohmann::json("KDL") : nlohmann::json(nullptr)},
           {"speedup", to_kdl}});
    }
    if (report.tables)
      fmt::print("  with two threads Parid takes {} lanes on {} of them\n", chosen.lanes,
                 chosen.threads);
    std::fflush(stdout);
  }
  cores.let_go();
}

}  // namespace parid::bench
