// Times contestants in interleaved rounds: every round runs each once, so that a slow minute of the
// machine affects all equally, and the order rotates from round to round.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bench/layer.hpp"

namespace parid::bench {

struct Contestant {
  std::string name;
  long evaluations;  // per call of run
  std::function<void()> run;
};

struct Timing {
  std::string name;
  double min_ns = 0, median_ns = 0;  // per evaluation, wall clock, over the rounds
};

// One untimed round comes first: it warms caches and pages in libraries.
inline std::vector<Timing> race(const std::vector<Contestant>& contestants, int rounds) {
  using Clock = std::chrono::steady_clock;
  const std::size_t n = contestants.size();
  std::vector<std::vector<double>> ns(n);
  for (int round = -1; round < rounds; ++round)
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = (k + static_cast<std::size_t>(round + 1)) % n;
      const auto start = Clock::now();
      contestants[i].run();
      const std::chrono::duration<double, std::nano> took = Clock::now() - start;
      if (round >= 0)
        ns[i].push_back(took.count() / static_cast<double>(contestants[i].evaluations));
    }
  std::vector<Timing> timings;
  for (std::size_t i = 0; i < n; ++i) {
    std::sort(ns[i].begin(), ns[i].end());
    if (ns[i].empty()) ns[i].push_back(0);
    timings.push_back({contestants[i].name, ns[i].front(), ns[i][ns[i].size() / 2]});
  }
  return timings;
}

// Prevents the optimiser from removing the computation of a value.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

// The value of a key for the first processor in /proc/cpuinfo: "model name", "flags". Empty
// elsewhere.
inline std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, key.size(), key) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "";
}
inline std::string cpu_name() { return cpuinfo("model name"); }

// Its flags for vector arithmetic: "avx avx2 fma avx512f".
inline std::string cpu_flags() {
  std::istringstream all(cpuinfo("flags"));
  std::string kept;
  for (std::string flag; all >> flag;)
    if (flag == "sse4_2" || flag == "fma" || flag.compare(0, 3, "avx") == 0)
      kept += (kept.empty() ? "" : " ") + flag;
  return kept;
}

// The commit of the working directory, with "-dirty" if it has changes; empty outside git.
inline std::string commit() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen("git describe --always --dirty --exclude='*' 2>/dev/null", "r"), pclose);
  char line[128] = "";
  if (!pipe || !std::fgets(line, sizeof line, pipe.get())) return "";
  return std::string(line, std::string(line).find_last_not_of('\n') + 1);
}

}  // namespace parid::bench
