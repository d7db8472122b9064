// Prints a table of ratios, and with --json FILE writes the figures with CPU, flags and commit.

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/inverse/contestant.hpp"
#include "parid/model/load.hpp"
#include "parid/run/dynamics.hpp"
#include "tests/random_robot.hpp"

using namespace parid;
using namespace parid::bench;

namespace {

std::shared_ptr<const States> random_states(const Description& d, std::size_t rows) {
  Rng rng(1);
  auto s = std::make_shared<States>();
  s->rows = rows;
  for (std::size_t r = 0; r < rows; ++r) {
    const State x = random_state(rng, d);
    s->q.insert(s->q.end(), x.q.begin(), x.q.end());
    s->v.insert(s->v.end(), x.v.begin(), x.v.end());
    s->a.insert(s->a.end(), x.a.begin(), x.a.end());
  }
  return s;
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double difference = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    difference = std::max(difference, std::abs(x[k] - y[k])),
    scale = std::max(scale, std::abs(y[k]));
  return difference / scale;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_file = argc == 3 && !std::strcmp(argv[1], "--json") ? argv[2] : nullptr;
  nlohmann::json results = nlohmann::json::array();
  fmt::print(
      "Inverse dynamics, ns per sample (minimum of interleaved rounds; median in brackets), {} "
      "kernels\n{}\n",
      instruction_set(), cpu_name());
  for (const char* name : {"puma560", "panda", "ur5", "quadruped", "humanoid", "chain:64"}) {
    const Description d = load_description(name);
    const auto states = random_states(d, 1000);
    Entries entries;
    add_peers(entries, d, states);
    add_parid(entries, d, states);
    std::vector<Contestant> contestants;
    for (const Entry& e : entries) contestants.push_back(e.contestant);
    const std::vector<Timing> timings = race(contestants, 60);

    // The baseline is KDL, or DART where KDL cannot.
    std::size_t base = entries.size();
    for (const char* wanted : {"KDL", "DART"})
      for (std::size_t k = 0; k < entries.size() && base == entries.size(); ++k)
        if (timings[k].name == wanted) base = k;
    fmt::print("\n{:<22} {:>8} {:>8} {:>10} {:>12} {:>10}\n", name, "batch", "threads", "ns", "",
               base < entries.size() ? "× " + timings[base].name : "");
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const double speedup = base < entries.size() ? timings[base].min_ns / timings[k].min_ns : 0;
      fmt::print("  {:<24} {:>4} {:>8} {:>10.1f} {:>12} {:>10.2f}\n", timings[k].name,
                 entries[k].batch, entries[k].threads, timings[k].min_ns,
                 fmt::format("({:.1f})", timings[k].median_ns), speedup);
      if (entries[k].torques.empty()) {  // friction is in it: nobody has the same to compare with
      } else if (const double off = largest_difference(entries[k].torques, entries.front().torques);
                 off > 1e-11)
        fmt::print("    its torques differ from {}'s by {:.1e}\n", timings.front().name, off);
      results.push_back({{"robot", name},
                         {"what", "inverse"},
                         {"batch", entries[k].batch},
                         {"threads", entries[k].threads},
                         {"contestant", timings[k].name},
                         {"ns", timings[k].min_ns},
                         {"median_ns", timings[k].median_ns},
                         {"baseline", base < entries.size() ? nlohmann::json(timings[base].name)
                                                            : nlohmann::json(nullptr)},
                         {"speedup", speedup}});
    }
  }
  if (json_file)
    std::ofstream(json_file) << nlohmann::json{{"schema", "parid.bench/1"},    {"cpu", cpu_name()},
                                               {"flags", cpu_flags()},         {"commit", commit()},
                                               {"kernels", instruction_set()}, {"results", results}}
                                    .dump(2)
                             << '\n';
}
