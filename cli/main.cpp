#include <cstdio>
#include <exception>

#include "cli/command.hpp"
#include "parid/error.hpp"
#include "parid/io/unfinished.hpp"

int main(int argc, char** argv) {
  using namespace parid::cli;
  parid::remove_unfinished_files_on_signals();
  CLI::App app("Parid: the exact joint torques of a robot, fast.", "parid");
  app.set_version_flag("--version", "parid " PARID_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer("Start with:  parid torque puma560\nEach command has --help with an example.");
  Action action;
  for (const AddCommand add : commands) add(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    std::fprintf(stderr, "parid: %s\n", e.what());
    const auto chosen = app.get_subcommands();
    std::fprintf(stderr, "`parid %s--help` shows what is expected\n", chosen.empty() ? "" : (chosen[0]->get_name() + " ").c_str());
    return 2;
  }
  try {
    return action();
  } catch (const parid::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "parid: there is not enough memory for this\n");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "parid: %s\n", e.what());
  }
  return 2;
}
