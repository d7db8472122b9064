// The question: does it pay to give the links of a controller to several threads, with stale data so that
// none waits?
//
// Microseconds per control period, without a clock: each period begins as soon as what it reads is there.
// Every thread works out all joint positions' sines for itself, for gravity's direction needs them.

#include <fmt/format.h>

#include <algorithm>

#include "bench/stopwatch.hpp"
#include "parid/control/threads.hpp"
#include "parid/run/crew.hpp"

using namespace parid;

int main() {
  const int most = std::max(2, available_cores());
  fmt::print("µs per control period (minimum of interleaved rounds), {} cores\n{}\n",
             available_cores(), cpu_name());
  for (const char* name : {"planar3", "puma560", "chain:12", "chain:30", "chain:100", "chain:300"}) {
    const Robot robot = Robot::load(name);
    const long periods = std::max(20, 3000 / robot.nv());  // short, so that some runs meet no others
    const char* ids[] = {"exact", "binder_herzog", "vuskovic", "hamilton"};
    std::vector<std::vector<double>> best(
        4, std::vector<double>(static_cast<std::size_t>(most) + 1, 1e9));
    for (int round = 0; round < 150; ++round)
      for (std::size_t p = 0; p < 4; ++p)
        for (int threads = 1; threads <= most; threads *= 2) {
          double& least = best[p][static_cast<std::size_t>(threads)];
          least = std::min(least, free_running_period(robot, policy(ids[p]), threads, periods));
        }
    for (std::size_t p = 0; p < 4; ++p) {
      fmt::print("{:<10} {:<14}", name, ids[p]);
      for (int threads = 1; threads <= most; threads *= 2)
        fmt::print("  {} thread{} {:8.3f}", threads, threads == 1 ? " " : "s",
                   1e6 * best[p][static_cast<std::size_t>(threads)]);
      fmt::print("\n");
    }
  }
}
