// parid robots: lists built-in robots.

#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "model/format/builtin.hpp"

namespace parid::cli {

void add_robots(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("robots", "List built-in robots");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON object instead of a table");
  command->footer("Example:  parid robots");
  command->callback([&action, json] {
    action = [json] {
      if (*json) {
        Json robots = Json::array();
        for (const BuiltinRobot& r : builtin_robots())
          robots.push_back(
              {{"name", r.name}, {"degrees_of_freedom", r.dof}, {"summary", r.summary}});
        print({{"schema", "parid.robots/1"}, {"robots", robots}});
        return 0;
      }
      for (const BuiltinRobot& r : builtin_robots())
        fmt::print("{} {:>3}  {}\n", heading(fmt::format("{:<20}", r.name)), r.dof, r.summary);
      return 0;
    };
  });
}

}  // namespace parid::cli
