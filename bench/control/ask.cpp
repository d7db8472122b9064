// Measures whether distributing the links of a controller over several threads pays off, with stale
// data so that no thread waits.
//
// Microseconds per control period, without a clock: each period begins as soon as its inputs are
// available. Every thread computes the sines of all joint positions, which gravity's direction
// needs.

#include <fmt/format.h>

#include <algorithm>

#include "base/threads/thread_pool.hpp"
#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "control/threads.hpp"

namespace parid::bench {

void ask_control(const Options& o, Report& report) {
  const int most = std::max(2, available_cores());
  const std::vector<std::string> robots =
      o.robots_or({"planar3", "puma560", "chain:12", "chain:30", "chain:100", "chain:300"});
  if (report.tables) fmt::print("\na control period of links shared out over threads, µs\n");
  for (const std::string& name : robots) {
    const Robot robot = Robot::load(name);
    // short, so that some runs are not interrupted by other programs
    const long periods = std::max(20, 3000 / robot.nv());
    const char* ids[] = {"exact", "binder_herzog", "vuskovic", "hamilton"};
    std::vector<std::vector<double>> best(
        4, std::vector<double>(static_cast<std::size_t>(most) + 1, 1e9));
    for (int round = 0; round < 4 * o.rounds(); ++round)
      for (std::size_t p = 0; p < 4; ++p)
        for (int threads = 1; threads <= most; threads *= 2) {
          double& least = best[p][static_cast<std::size_t>(threads)];
          least = std::min(least, free_running_period(robot, policy(ids[p]), threads, periods));
        }
    for (std::size_t p = 0; p < 4; ++p) {
      if (report.tables) fmt::print("  {:<10} {:<14}", name, ids[p]);
      const double alone = best[p][1];
      for (int threads = 1; threads <= most; threads *= 2) {
        const double period = best[p][static_cast<std::size_t>(threads)];
        if (report.tables)
          fmt::print("  {} thread{} {:8.3f}", threads, threads == 1 ? " " : "s", 1e6 * period);
        report.results.push_back({{"robot", name},
                                  {"what", "control"},
                                  {"batch", 1},
                                  {"threads", threads},
                                  {"contestant", std::string("parid ") + ids[p]},
                                  {"ns", 1e9 * period},
                                  {"baseline", "the same on one thread"},
                                  {"speedup", alone / period}});
      }
      if (report.tables) fmt::print("\n");
    }
  }
}

}  // namespace parid::bench
