// Benchmarks, one folder each, and contestants, one file each. Results are comparable because they
// are timed in one interleaved run.

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/layer.hpp"
#include "bench/stopwatch.hpp"

namespace parid::bench {

struct Options {
  std::vector<std::string> robots;  // empty: the benchmark's own list
  std::optional<int> rounds_given;
  std::optional<long> calls_given;  // realtime: number of calls, each timed separately
  bool quick = false;               // fewer robots, fewer rounds, if none are given

  int rounds() const { return rounds_given.value_or(quick ? 10 : 40); }
  long calls() const { return calls_given.value_or(quick ? 100'000 : 10'000'000); }
  std::vector<std::string> robots_or(std::vector<std::string> usual,
                                     std::vector<std::string> quickly = {"puma560"}) const {
    if (!robots.empty()) return robots;
    return quick ? quickly : usual;
  }
};

// One contestant with one robot and one quantity.
struct Entry {
  Contestant contestant;
  int batch = 1, threads = 1;
  std::vector<double> values;  // of the states, compared between contestants; empty: not compared
};
using Entries = std::vector<Entry>;

// Rows of the results, as in docs/json.md; `show` is called with each table as soon as it is done.
struct Report {
  nlohmann::json results = nlohmann::json::array();
  bool tables = true;  // print as they come

  // Times the entries in one interleaved run and adds them. The baseline is KDL, or DART if there
  // is no KDL.
  void race(const std::string& robot, const std::string& what, const Entries&, int rounds,
            double tolerance = 1e-11);
};

struct Benchmark {
  const char *name, *says;
  void (*ask)(const Options&, Report&);
  bool only_by_name = false;  // left out unless the user names it
};

void ask_batch(const Options&, Report&);
void ask_inverse(const Options&, Report&);
void ask_forward(const Options&, Report&);
void ask_mass(const Options&, Report&);
void ask_gradient(const Options&, Report&);
void ask_chain(const Options&, Report&);
void ask_control(const Options&, Report&);
void ask_ik(const Options&, Report&);
void ask_roofline(const Options&, Report&);
void ask_realtime(const Options&, Report&);
void ask_kernels(const Options&, Report&);
void ask_search(const Options&, Report&);

inline constexpr Benchmark benchmarks[] = {
    {"inverse", "torques of a motion", ask_inverse},
    {"forward", "accelerations under torques", ask_forward},
    {"mass", "the mass matrix", ask_mass},
    {"gradient", "derivatives of the torques, against the torques themselves", ask_gradient},
    {"batch", "HDF5 files through an engine, against engine and files alone", ask_batch},
    {"chain", "one evaluation of a long chain, over lanes and threads", ask_chain},
    {"control", "links of a controller shared out over threads, with stale data", ask_control},
    {"ik", "inverse kinematics, against KDL's LMA", ask_ik},
    {"roofline", "arithmetic and memory: what this core can do, and what of it the kernels get",
     ask_roofline},
    {"search", "a robot and a quantity for which another library is faster", ask_search},
    {"realtime", "the worst of ten million torques, and how the times spread (also: --realtime)",
     ask_realtime, true},
    {"kernels", "all kinds of kernel over numbers of rows, against the choice of `automatic`",
     ask_kernels, true},
};

}  // namespace parid::bench
