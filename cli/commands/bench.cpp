#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/command.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

// The program that knows the peers stands beside this one: it links what a user of Parid need not
// have.
constexpr const char* program = "parid-bench";

int run(const std::vector<std::string>& words) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = (self.parent_path() / program).string();
  std::vector<std::string> all{path};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& w : all) argv.push_back(w.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  throw Error(
      fmt::format("{}: cannot be run ({}); it times Parid against KDL, MuJoCo and DART and is "
                  "built by `./run bench` "
                  "or with -DPARID_BENCH=ON",
                  path, std::strerror(errno)));
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* c =
      app.add_subcommand("bench", "speed beside the peers that are installed here, in one run");
  c->prefix_command();
  c->footer(
      "QUESTION is inverse, forward, mass, gradient, batch, chain, ik or roofline; all where none "
      "is "
      "given.\n"
      "  --robot NAME   instead of those that the questions name\n"
      "  --rounds N     how often each contestant runs\n"
      "  --realtime     the worst of ten million torques under SCHED_FIFO, and how the times "
      "spread\n"
      "  --quick        puma560 alone, ten rounds\n"
      "  --json         one JSON object and no tables;  -o FILE writes it beside them\n\n"
      "Examples:\n  parid bench --quick\n  parid bench inverse --robot panda\n  parid bench "
      "roofline "
      "--json\n");
  c->callback([c, &action] { action = [words = c->remaining()] { return run(words); }; });
}

}  // namespace parid::cli
