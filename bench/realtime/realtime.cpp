// Measures the worst-case latency of one torque. Every call is timed separately, ten million of
// them, under the real-time scheduler if that is permitted. Interruptions appear in the last
// percentiles; an empty interval between two clock reads shows the share of the machine.

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "parid/denormals.hpp"
#include "parid/dynamics.hpp"
#include "parid/inverse_dynamics.hpp"

namespace parid::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Counts by time: 8 bins per doubling, so a percentile is accurate to 9 %; the worst case is exact.
class Histogram {
 public:
  void add(std::int64_t ns) {
    worst_ = std::max(worst_, ns);
    ++count_;
    ++bins_[bin(ns)];
  }
  double percentile(double share) const {
    const auto wanted = static_cast<long>(std::ceil(share * static_cast<double>(count_)));
    long so_far = 0;
    for (std::size_t b = 0; b < bins_.size(); ++b)
      if ((so_far += bins_[b]) >= wanted) return std::min(upper(b), static_cast<double>(worst_));
    return static_cast<double>(worst_);
  }
  std::int64_t worst() const { return worst_; }
  nlohmann::json json() const {  // [up to ns, how many]
    nlohmann::json all = nlohmann::json::array();
    for (std::size_t b = 0; b < bins_.size(); ++b)
      if (bins_[b] > 0) all.push_back({upper(b), bins_[b]});
    return all;
  }
  void print() const {
    for (std::size_t first = 0; first < bins_.size(); first += 8) {  // by doublings
      long n = 0;
      for (std::size_t b = first; b < first + 8; ++b) n += bins_[b];
      if (n == 0) continue;
      const auto stars = static_cast<std::size_t>(std::ceil(
          40 * std::log1p(static_cast<double>(n)) / std::log1p(static_cast<double>(count_))));
      fmt::print("    up to {:>9.0f} ns {:>10}  {}\n", upper(first + 7), n,
                 std::string(stars, '#'));
    }
  }

 private:
  static constexpr std::size_t most = 8 * 40;
  static std::size_t bin(std::int64_t ns) {
    const double b = std::floor(8 * std::log2(std::max<double>(1, static_cast<double>(ns))));
    return std::min(most - 1, static_cast<std::size_t>(b));
  }
  static double upper(std::size_t b) { return std::exp2((static_cast<double>(b) + 1) / 8); }

  std::array<long, most> bins_{};
  long count_ = 0;
  std::int64_t worst_ = 0;
};

// Describes the granted scheduling in one word.
std::string ask_for_real_time() {
  const bool locked = ::mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  sched_param priority{};
  priority.sched_priority = 80;
  const bool fifo = ::sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  return fmt::format("{}, memory {}",
                     fifo ? "SCHED_FIFO 80" : "ordinary scheduling (SCHED_FIFO is not permitted)",
                     locked ? "locked" : "not locked");
}
void give_back() {
  sched_param priority{};
  ::sched_setscheduler(0, SCHED_OTHER, &priority);
  ::munlockall();
}

constexpr std::size_t states = 1024;
struct States {
  States(const Robot& robot, double speed)
      : nq(static_cast<std::size_t>(robot.nq())), nv(static_cast<std::size_t>(robot.nv())) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t k = 0; k < states; ++k) {
      const std::vector<double> neutral = robot.neutral();
      std::vector<double> step(nv);
      for (double& x : step) x = 2 * any(random);
      std::vector<double> at(nq);
      integrate(robot, neutral, step, at);
      q.insert(q.end(), at.begin(), at.end());
      for (std::size_t i = 0; i < nv; ++i) {
        v.push_back(speed * any(random));
        a.push_back(speed * any(random));
      }
    }
  }
  std::size_t nq, nv;
  std::vector<double> q, v, a;
};

template <class Call>
Histogram timed(long calls, Call&& call) {
  Histogram h;
  for (long k = 0; k < calls; ++k) {
    const auto start = Clock::now();
    call(static_cast<std::size_t>(k) % states);
    const auto end = Clock::now();
    h.add(std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count());
  }
  return h;
}

}  // namespace

void ask_realtime(const Options& o, Report& report) {
  const long calls = o.calls();
  for (const std::string& name : o.robots_or({"puma560"})) {
    const Robot robot = Robot::load(name);
    Workspace generic(robot), own(robot);
    const bool compiled = own.compile();
    const States ordinary(robot, 1), dying(robot, 1e-310);
    std::vector<double> tau(static_cast<std::size_t>(robot.nv()));
    auto torque = [&](Workspace& w, const States& s) {
      return [&](std::size_t k) {
        inverse_dynamics(robot, w, {&s.q[k * s.nq], s.nq}, {&s.v[k * s.nv], s.nv},
                         {&s.a[k * s.nv], s.nv}, tau);
        keep(tau[0]);
      };
    };
    for (Workspace* w : {&generic, &own}) timed(10'000, torque(*w, ordinary));  // pages, caches
    const std::string granted = ask_for_real_time();
    struct Measured {
      const char* contestant;
      Histogram times;
    };
    std::vector<Measured> all;
    all.push_back({"the clock alone", timed(calls, [](std::size_t) {})});
    all.push_back({"parid generic", timed(calls, torque(generic, ordinary))});
    if (compiled) all.push_back({"parid compiled", timed(calls, torque(own, ordinary))});
    const long some = calls / 10;
    all.push_back({"parid generic, speeds of 1e-310", timed(some, torque(generic, dying))});
    if (compiled)
      all.push_back({"parid compiled, speeds of 1e-310", timed(some, torque(own, dying))});
    {
      const DenormalsAreZero guard;
      all.push_back({"parid generic, 1e-310 as zero", timed(some, torque(generic, dying))});
      if (compiled)
        all.push_back({"parid compiled, 1e-310 as zero", timed(some, torque(own, dying))});
    }
    give_back();
    constexpr std::array<double, 6> shares{0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};
    if (report.tables) {
      fmt::print("\n{}: {} calls, each timed by itself, ns; {}\n  {:<34}", name, calls, granted,
                 "");
      for (const double s : shares) fmt::print("{:>9}", fmt::format("{:g} %", 100 * s));
      fmt::print("{:>10}\n", "worst");
    }
    const double baseline = all[1].times.percentile(0.5);
    for (const Measured& m : all) {
      nlohmann::json percentiles;
      if (report.tables) fmt::print("  {:<34}", m.contestant);
      for (const double s : shares) {
        percentiles[fmt::format("{:g}", 100 * s)] = m.times.percentile(s);
        if (report.tables) fmt::print("{:>9.0f}", m.times.percentile(s));
      }
      if (report.tables) fmt::print("{:>10}\n", m.times.worst());
      report.results.push_back({{"robot", name},
                                {"what", "realtime"},
                                {"batch", 1},
                                {"threads", 1},
                                {"contestant", m.contestant},
                                {"ns", m.times.percentile(0.5)},
                                {"baseline", "parid generic"},
                                {"speedup", baseline / m.times.percentile(0.5)},
                                {"scheduling", granted},
                                {"percentiles", percentiles},
                                {"worst", m.times.worst()},
                                {"histogram", m.times.json()}});
    }
    if (report.tables) {
      fmt::print("  {}:\n", all[compiled ? 2 : 1].contestant);
      all[compiled ? 2 : 1].times.print();
    }
  }
}

}  // namespace parid::bench
