// parid check: checks a robot file for physical errors.

#include <fmt/format.h>

#include <algorithm>

#include <memory>

#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "model/format/load.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "parid/quantity.hpp"

namespace parid::cli {
namespace check_command {
namespace {

struct Options {
  RobotOptions robot;
  bool json = false;
};

int run(const Options& o) {
  Description d = load_description(o.robot.robot, load_options(o.robot));
  std::vector<Finding> findings = check(d);
  // What cannot be understood cannot be changed.
  if (std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return refuses(f); })) {
    apply_options(d, o.robot);
    findings = check(d);
  }
  Json errors = Json::array(), warnings = Json::array();
  for (const Finding& f : findings) {
    (is_error(f) ? errors : warnings)
        .push_back({{"file", f.at.file},
                    {"line", f.at.line},
                    {"code", f.code},
                    {"message", f.message},
                    {"remedy", f.remedy},
                    {"affects", names(affected(f.effect))},
                    {"refuses", is_error(f) && (refuses(f) || f.effect == Effect::forward)
                                    ? names(affected(f.effect))
                                    : std::vector<std::string>()}});
    if (!o.json) fmt::print("{}\n", coloured(stdout, harmless(text(f))));
  }
  auto count = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (o.json)
    print({{"schema", "parid.check/1"},
           {"robot", d.name},
           {"errors", errors},
           {"warnings", warnings}});
  else if (findings.empty())
    fmt::print("{}: OK: no errors, no warnings\n", harmless(o.robot.robot));
  else
    fmt::print("{}: {}, {}\n", harmless(o.robot.robot), count(errors.size(), "error"),
               count(warnings.size(), "warning"));
  return errors.empty() ? 0 : 1;
}

}  // namespace
}  // namespace check_command

void add_check(CLI::App& app, Action& action) {
  using namespace check_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* command = app.add_subcommand("check", "Check a robot file for physical errors");
  command->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_attach_and_remove(*command, o.robot);
  add_lock(*command, o.robot);
  add_robot_file(*command, o.robot);
  command->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  command->add_flag("--json", o.json, "print one JSON object instead of lines");
  command->footer(
      "Exit code: 1 if there are errors, 0 if there are only warnings or none, 2 if the file "
      "cannot be read.\nExample:  parid check arm.urdf");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
