// parid bench: passes its options to the program that links the compared libraries.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/command.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace bench_command {
namespace {

// Installed beside this program, because it links libraries that users of Parid need not have.
constexpr const char* program = "parid-bench";

// The given options as words of a command line.
std::vector<std::string> words_of(const CLI::App& c) {
  std::vector<std::string> words;
  for (const CLI::Option* option : c.get_options()) {
    const bool named = !option->get_lnames().empty();
    const std::string name = named ? "--" + option->get_lnames()[0] : "";
    if (option->count() == 0 || name == "--quiet" || name == "--help") continue;
    if (named && option->get_items_expected_max() == 0) {
      words.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) {
      if (named) words.push_back(name);
      words.push_back(value);
    }
  }
  return words;
}

int run(const CLI::App& c) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = (self.parent_path() / program).string();
  std::vector<std::string> all = words_of(c);
  all.insert(all.begin(), path);
  std::vector<char*> argv;
  for (std::string& w : all) argv.push_back(w.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  throw Error(
      fmt::format("{}: cannot run ({}); this program compares Parid with KDL, MuJoCo and DART; "
                  "build it with `./run bench` or -DPARID_BENCH=ON",
                  path, std::strerror(errno)));
}

}  // namespace
}  // namespace bench_command

// parid-bench checks the values.
void add_bench(CLI::App& app, Action& action) {
  using namespace bench_command;
  CLI::App* c =
      app.add_subcommand("bench", "Compare the speed of Parid and the installed peers in one run");
  c->add_option("BENCHMARK",
                "inverse, forward, mass, gradient, batch, chain, control, ik, roofline, "
                "search, realtime or kernels (default: all but the last two)")
      ->expected(0, 100)
      ->allow_extra_args();
  c->add_option("--robot", "robot to use instead of the benchmark's robots; may be repeated")
      ->option_text("NAME")
      ->take_all();
  c->add_option("--rounds", "number of runs of each contestant; batch: at most 10 (default: 40)")
      ->option_text("N");
  c->add_flag("--realtime")
      ->description(
          "measure the latency of ten million torques under SCHED_FIFO: worst case and "
          "distribution");
  c->add_option("--calls", "with --realtime: number of torques (default: 10000000)")
      ->option_text("N");
  c->add_flag("--quick")->description("smaller defaults: only puma560, 10 rounds, 100000 calls");
  c->add_flag("--json")->description("print one JSON object instead of tables");
  c->add_option("-o,--output", "write the JSON object to a file, and print the tables")
      ->option_text("FILE");
  c->footer(
      "Examples:  parid bench --quick\n"
      "           parid bench inverse --robot panda\n"
      "           parid bench roofline --json");
  c->callback([&action, c] { action = [c] { return run(*c); }; });
}

}  // namespace parid::cli
