// The kinds of kernel of one quantity over numbers of rows, on one thread: how far `automatic` is
// from the fastest of the others.

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <random>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "parid/engine.hpp"
#include "runtime/engine/generic_rows.hpp"

namespace parid::bench {
namespace {

constexpr KernelKind kinds[] = {KernelKind::generic, KernelKind::interpreted, KernelKind::machine,
                                KernelKind::compiled, KernelKind::automatic};

// The calling thread's, in ns: other programs do not count.
double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

struct Rows {
  std::vector<std::vector<double>> in, out;

  Rows(const Shape& shape, std::size_t rows) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (const std::size_t n : shape.in) {
      in.emplace_back(n * rows);
      for (double& x : in.back()) x = number(random);
    }
    for (const std::size_t n : shape.out) out.emplace_back(n * rows);
  }
};

// The least time of one call in ns per row: each run takes at least 100 microseconds.
double time_of(Engine& engine, Quantity what, std::size_t rows, const Rows& x, Rows& y,
               int rounds) {
  std::vector<StridedInput> in;
  std::vector<StridedOutput> out;
  for (const auto& a : x.in) in.push_back({a.data(), a.size() / rows});
  for (auto& a : y.out) out.push_back({a.data(), a.size() / rows});
  engine.evaluate(what, rows, in, out);
  double best = 1e300;
  long calls = 1;
  for (int round = 0; round < rounds; ++round)
    for (;;) {
      const double start = thread_time();
      for (long k = 0; k < calls; ++k) engine.evaluate(what, rows, in, out);
      const double took = thread_time() - start;
      if (took < 1e5 && round == 0) {
        calls *= 2;
        continue;
      }
      best = std::min(best, took / static_cast<double>(calls) / static_cast<double>(rows));
      break;
    }
  return best;
}

}  // namespace

void ask_kernels(const Options& o, Report& report) {
  double worst = 0;
  std::string where;
  constexpr std::size_t most_numbers = std::size_t{1} << 26;  // of all arrays
  for (const std::string& name : o.robots_or({"puma560", "panda", "ur5", "quadruped"})) {
    const Robot robot = Robot::load(name);
    for (const Quantity what : batched_quantities()) {
      std::vector<Engine> engines;
      for (const KernelKind kind : kinds) {
        engines.emplace_back(robot, EngineOptions{.threads = 1, .kernel = kind, .quantities = {}});
        engines.back().prepare(what, kind);
      }
      const Shape shape = shape_of(robot, what);
      std::size_t width = 0;
      for (const std::size_t n : shape.in) width += n;
      for (const std::size_t n : shape.out) width += n;
      if (report.tables) {
        fmt::print("\n{}, {}\n{:>9}", name, parid::name(what), "rows");
        for (const KernelKind kind : kinds) fmt::print("{:>13}", parid::name(kind));
        fmt::print("{:>9}\n", "ratio");
      }
      const std::size_t most = o.quick ? 4096 : 1'000'000;
      for (std::size_t rows = 1; rows <= most; rows *= 2) {
        if (rows * width > most_numbers) break;
        Rows x(shape, rows), y(shape, rows);
        std::vector<double> ns(engines.size(), 1e300);
        const int rounds = std::clamp(static_cast<int>(o.rounds() * 4096 / (rows + 4096)), 2, 10);
        for (int round = 0; round < rounds; ++round)  // interleaved
          for (std::size_t k = 0; k < engines.size(); ++k)
            ns[k] = std::min(ns[k], time_of(engines[k], what, rows, x, y, 1));
        double least = 1e300;
        std::string fastest;
        for (std::size_t k = 0; k + 1 < ns.size(); ++k)
          if (engines[k].kernel(what) == kinds[k] && ns[k] < least) {
            least = ns[k];
            fastest = parid::name(kinds[k]);
          }
        const double ratio = ns.back() / least;
        if (ratio > worst) {
          worst = ratio;
          where = fmt::format("{}, {}, {} rows", name, parid::name(what), rows);
        }
        nlohmann::json row = {{"robot", name},
                              {"what", parid::name(what)},
                              {"batch", rows},
                              {"threads", 1},
                              {"contestant", "parid automatic"},
                              {"ns", ns.back()},
                              {"baseline", "parid " + fastest},
                              {"speedup", least / ns.back()}};
        report.results.push_back(row);
        if (!report.tables) continue;
        fmt::print("{:>9}", rows);
        for (std::size_t k = 0; k < ns.size(); ++k)
          if (k + 1 == ns.size() || engines[k].kernel(what) == kinds[k])
            fmt::print("{:>13.1f}", ns[k]);
          else
            fmt::print("{:>13}", "-");
        fmt::print("{:>9.2f}\n", ratio);
      }
    }
  }
  if (report.tables)
    fmt::print("\nautomatic takes at most {:.2f} times the time of the fastest kernel: {}\n", worst,
               where);
}

}  // namespace parid::bench
