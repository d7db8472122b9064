// Compares Parid with installed libraries and with the machine's peak. `parid bench` runs this
// program.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "base/text/spelling.hpp"
#include "bench/benchmark.hpp"
#include "bench/layer.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"

using namespace parid;
using namespace parid::bench;

int main(int argc, char** argv) {
  CLI::App app(
      "Compare the speed of Parid and the libraries found at build time, in one interleaved run: "
      "minima and medians of rounds, and ratios against KDL, or DART where KDL does not apply.",
      "parid bench");
  std::vector<std::string> asked;
  Options options;
  bool json = false;
  std::string file;
  std::vector<std::string> names;
  std::string footer = "Benchmarks:\n";
  for (const Benchmark& b : benchmarks) {
    names.emplace_back(b.name);
    footer += fmt::format("  {:<12} {}\n", b.name, b.says);
  }
  footer +=
      "\nExamples:\n  parid bench\n  parid bench inverse --robot puma560\n  parid bench roofline "
      "--json\n";
  app.footer(footer);
  app.add_option("BENCHMARK", asked, "benchmarks to run (default: all)")
      ->check(CLI::Validator(
          [&names](const std::string& said) {
            const bool known = std::find(names.begin(), names.end(), said) != names.end();
            return known ? std::string() : base::no_such(said, names);
          },
          ""));
  app.add_option("--robot", options.robots, "robot to use instead of the benchmark's robots");
  app.add_option("--rounds", options.rounds_given, "number of runs of each contestant")
      ->check(CLI::Range(1, 100000));
  bool realtime = false;
  app.add_flag("--realtime", realtime, "run the benchmark `realtime`");
  app.add_option("--calls", options.calls_given, "realtime: number of torques")
      ->check(CLI::Range(1000L, 1'000'000'000L));
  app.add_flag("--quick", options.quick, "puma560 only, ten rounds");
  app.add_flag("--json", json, "print one JSON object (docs/json.md) and no tables");
  app.add_option("-o,--output", file, "write the JSON object to a file, and print the tables");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help
    fmt::print(stderr, "parid bench: {}\nrun `parid bench --help` for the arguments\n", e.what());
    return 2;
  }
  if (realtime) asked.emplace_back("realtime");
  try {
    if (options.calls_given && std::find(asked.begin(), asked.end(), "realtime") == asked.end())
      throw Error("--calls: only realtime counts calls; give --realtime too");
    if (options.rounds_given && asked == std::vector<std::string>{"realtime"})
      throw Error("--rounds: realtime has no rounds; give --calls instead");
    Report report;
    report.tables = !json;
    if (report.tables)
      fmt::print("ns per sample, minimum of {} interleaved rounds; {} kernels, {}\n",
                 options.rounds(), instruction_set(), cpu_name());
    for (const Benchmark& b : benchmarks)
      if ((asked.empty() && !b.only_by_name) ||
          std::find(asked.begin(), asked.end(), b.name) != asked.end())
        b.ask(options, report);
    const nlohmann::json all = {{"schema", "parid.bench/1"},    {"cpu", cpu_name()},
                                {"flags", cpu_flags()},         {"commit", commit()},
                                {"kernels", instruction_set()}, {"results", report.results}};
    if (json) fmt::print("{}\n", all.dump(1));
    if (!file.empty() && !(std::ofstream(file) << all.dump(1) << '\n'))
      throw Error(file + ": cannot write; check that the directory exists and is writable");
  } catch (const std::exception& e) {
    fmt::print(stderr, "parid bench: {}\n", e.what());
    return 2;
  }
}
