#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "base/process/unfinished.hpp"
#include "base/text/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/command_help.hpp"
#include "cli/shell/last_resort.hpp"
#include "cli/shell/program.hpp"
#include "cli/shell/shell.hpp"
#include "model/format/builtin.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

// Unknown words of the command line, with suggestions.
std::string unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : words) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string meant = did_you_mean(name, known);
    return fmt::format("unknown option '{}'{}{}", name, meant.empty() ? "" : "; ",
                       meant.substr(0, meant.find_last_not_of(' ') + 1));
  }
  return fmt::format("unexpected argument: {}", fmt::join(words, " "));
}

int wrong_usage(const CLI::App& app, const CLI::ParseError& e) {
  const auto chosen = app.get_subcommands();
  const CLI::App& at = chosen.empty() ? app : *chosen[0];
  std::string what = e.what();
  const std::vector<std::string> words = app.remaining(true);
  const bool required = dynamic_cast<const CLI::RequiredError*>(&e),
             option = std::any_of(words.begin(), words.end(),
                                  [](std::string_view word) { return word.starts_with("-"); });
  if (dynamic_cast<const CLI::ExtrasError*>(&e) || (required && option)) {
    what = unexpected(at, words);
  } else if (required) {
    const CommandHelp help = help_of(at);
    if (chosen.empty()) what = "COMMAND is required";
    if (!help.examples.empty()) what += fmt::format(", as in `{}`", help.examples[0]);
  }
  say_error(fmt::format("parid: {}", what));
  say("run `{} --help` for the arguments\n", help_of(at).name);
  return 2;
}

bool is_robot(const std::string& word) {
  const auto ending = std::filesystem::path(word).extension();
  if (ending == ".urdf" || ending == ".toml") return true;
  for (const BuiltinRobot& r : builtin_robots())
    if (r.name == word) return true;
  return false;
}

int unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names{"--version"};
  for (const HelpEntry& command : help_of(app).commands) names.push_back(command.names[0]);
  say_error(fmt::format("parid: unknown command '{}'; {}`parid --help` lists the commands", word,
                        is_robot(word) ? fmt::format("did you mean `parid torque {}`? ", word)
                                       : did_you_mean(word, names)));
  return 2;
}

int output_failed(int error) {
  say_error(fmt::format("standard output: cannot write: {}", std::strerror(error)));
  return 2;
}

// Output may still be in a buffer, and the disk may be full.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  return output_failed(errno);
}

// Reports the current exception.
int failed() {
  try {
    throw;
  } catch (const Error& e) {
    say_error(e.what());
  } catch (const std::bad_alloc&) {
    write_error(no_memory);
  } catch (const std::system_error& e) {  // fmt throws it where stdout fails
    if (std::ferror(stdout)) return output_failed(e.code().value());
    say_error(fmt::format("parid: {}", e.what()));
  } catch (const std::exception& e) {
    say_error(fmt::format("parid: {}", e.what()));
  }
  return 2;
}

// Options of every command.
void add_common(CLI::App& command) {
  command.set_help_flag("-h,--help", "show this help");
  command.add_flag_callback("-q,--quiet", be_quiet,
                            "print errors only: no notes, warnings or progress");
}

int run_command(int argc, char** argv) {
  CLI::App app("Parid: a compiler for robot dynamics.", "parid");
  app.formatter(std::make_shared<HelpText>());
  app.set_version_flag("--version", version_text,
                       "show the version, the build and the tools found on this machine");
  app.require_subcommand(1);
  app.footer(
      "`parid COMMAND --help` and `parid help COMMAND` show the options of a command with "
      "examples.\nExamples:  parid torque puma560\n           parid check arm.urdf");
  Action action;
  for (const AddCommand add : commands) add(app, action);
  add_completion(app, action);
  add_man(app, action);
  add_common(app);
  for (CLI::App* command : app.get_subcommands({})) add_common(*command);

  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    write_notes(app.help());
    return 2;
  }
  if (words[0] == "help") {  // parid help torque
    words.erase(words.begin());
    words.push_back("--help");
  }
  const auto all = app.get_subcommands({});
  const bool known = std::any_of(all.begin(), all.end(),
                                 [&](const CLI::App* c) { return c->get_name() == words[0]; });
  if (words[0].empty() || (words[0][0] != '-' && !known)) return unknown_command(app, words[0]);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 expects them reversed
    app.parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) return wrong_usage(app, e);
    return flushed(app.exit(e));  // --help, --version
  }
  return flushed(action());
}

}  // namespace

int run_program(int argc, char** argv) {
  open_standard_descriptors();
  base::remove_unfinished_files_on_signals();
  signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error like a full disk
  try {
    return run_command(argc, argv);
  } catch (...) {
    return failed();
  }
}

}  // namespace parid::cli
