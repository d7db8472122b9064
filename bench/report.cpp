#include <fmt/format.h>

#include "bench/benchmark.hpp"
#include "bench/layer.hpp"

namespace parid::bench {
namespace {

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) return INFINITY;
  double difference = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    difference = std::max(difference, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return difference / scale;
}

}  // namespace

void Report::race(const std::string& robot, const std::string& what, const Entries& entries,
                  int rounds, double tolerance) {
  std::vector<Contestant> contestants;
  for (const Entry& e : entries) contestants.push_back(e.contestant);
  const std::vector<Timing> timings = bench::race(contestants, rounds);
  std::size_t base = entries.size();
  for (const char* wanted : {"KDL", "DART"})
    for (std::size_t k = 0; k < entries.size() && base == entries.size(); ++k)
      if (timings[k].name == wanted) base = k;
  const bool measured = base < entries.size();
  if (tables)
    fmt::print("\n{:<28} {:>7} {:>8} {:>10} {:>12} {:>10}\n", robot + ", " + what, "batch",
               "threads", "ns", "(median)", measured ? "× " + timings[base].name : "");
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const double speedup = measured ? timings[base].min_ns / timings[k].min_ns : 0;
    if (tables)
      fmt::print("  {:<26} {:>7} {:>8} {:>10.1f} {:>12} {:>10}\n", timings[k].name,
                 entries[k].batch, entries[k].threads, timings[k].min_ns,
                 fmt::format("({:.1f})", timings[k].median_ns),
                 measured ? fmt::format("{:.2f}", speedup) : "");
    nlohmann::json row = {
        {"robot", robot},
        {"what", what},
        {"batch", entries[k].batch},
        {"threads", entries[k].threads},
        {"contestant", timings[k].name},
        {"ns", timings[k].min_ns},
        {"median_ns", timings[k].median_ns},
        {"baseline", measured ? nlohmann::json(timings[base].name) : nlohmann::json(nullptr)},
        {"speedup", measured ? nlohmann::json(speedup) : nlohmann::json(nullptr)}};
    if (!entries[k].values.empty() && !entries.front().values.empty()) {
      const double off = largest_difference(entries[k].values, entries.front().values);
      row["difference"] = off;
      if (off > tolerance && tables)
        fmt::print("    its answers differ from {}'s by {:.1e}\n", timings.front().name, off);
    }
    results.push_back(std::move(row));
  }
  std::fflush(stdout);
}

}  // namespace parid::bench
