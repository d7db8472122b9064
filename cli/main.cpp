#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/command.hpp"
#include "parid/error.hpp"
#include "parid/io/unfinished.hpp"
#include "parid/model/spelling.hpp"

namespace parid::cli {
namespace {

// "; did you mean '--gravity'?", or nothing: for words of the command line that are none of ours.
std::string meant(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back(fmt::format("--{}", name));
  for (const std::string& word : words) {
    if (word.substr(0, 2) != "--") continue;
    const std::string near = nearest(word.substr(0, word.find('=')), known);
    if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  }
  return "";
}

int wrong_usage(const CLI::App& app, const CLI::ParseError& e) {
  const auto chosen = app.get_subcommands();
  const CLI::App& at = chosen.empty() ? app : *chosen[0];
  fmt::print(stderr, "parid: {}{}\n", e.what(),
             dynamic_cast<const CLI::ExtrasError*>(&e) ? meant(at, app.remaining(true)) : "");
  fmt::print(stderr, "`parid {}--help` shows what is expected\n",
             chosen.empty() ? "" : chosen[0]->get_name() + " ");
  return 2;
}

int unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  fmt::print(stderr, "parid: there is no command '{}'; {}`parid --help` lists the commands\n", word,
             did_you_mean(word, names));
  return 2;
}

// What was printed may still be in a buffer, and its disk full.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  fmt::print(stderr, "standard output: cannot be written: {}\n", std::strerror(errno));
  return 2;
}

int guarded(const Action& action) {
  try {
    return flushed(action());
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "parid: there is not enough memory for this\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "parid: {}\n", e.what());
  }
  return 2;
}

}  // namespace
}  // namespace parid::cli

int main(int argc, char** argv) {
  using namespace parid::cli;
  parid::remove_unfinished_files_on_signals();
  CLI::App app("Parid: the exact joint torques of a robot, fast.", "parid");
  app.set_version_flag("--version", "parid " PARID_VERSION);
  app.require_subcommand(1);
  app.footer("Start with:  parid torque puma560\nEach command has --help with an example.");
  Action action;
  for (const AddCommand add : commands) add(app, action);

  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
    return 2;
  }
  const auto all = app.get_subcommands(nullptr);
  const bool known = std::any_of(all.begin(), all.end(),
                                 [&](const CLI::App* c) { return c->get_name() == argv[1]; });
  if (argv[1][0] != '-' && !known) return unknown_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return wrong_usage(app, e);
    return flushed(app.exit(e));  // --help, --version
  }
  return guarded(action);
}
