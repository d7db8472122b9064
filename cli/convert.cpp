// parid convert: a robot file as another kind of robot file.

#include <fmt/format.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/findings.hpp"
#include "cli/json.hpp"
#include "parid/io/atomic_file.hpp"
#include "parid/model/check.hpp"
#include "parid/model/load.hpp"
#include "parid/model/toml_writer.hpp"

namespace parid::cli {
namespace {

std::string in, out;
bool json = false, floating = false;

int run() {
  if (json && out == "-")
    throw Error("OUT: standard output is taken by --json; give a file, or leave --json out");
  if (out != "-" && !out.starts_with("/dev/") && std::filesystem::path(out).extension() != ".toml")
    throw Error({out, 0}, "the ending of the output file is not known", "end it in .toml");
  const Description d = load_description(in, floating);
  std::size_t errors = 0, warnings = 0;
  for (const Finding& f : check(d)) {
    ++(is_error(f) ? errors : warnings);
    fmt::print(stderr, "{}\n", text(f));
  }
  AtomicFile file(out);
  file.write(to_toml(d, {{fmt::format("Converted from {}.", in)}, {}}));
  file.commit();
  if (json)
    print({{"schema", "parid.convert/1"},
           {"robot", d.name},
           {"file", out},
           {"links", d.links.size()},
           {"joints", d.joints.size()},
           {"errors", errors},
           {"warnings", warnings}});
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("convert", "a robot file as TOML");
  c->add_option("IN", in, robot_help)->required();
  c->add_option("OUT", out, "the file to write, ending in .toml; '-' is standard output")
      ->required();
  c->add_flag("--floating", floating, "hang the root link on a floating joint named after it");
  c->add_flag("--json", json, "one JSON object about what was written");
  c->footer(
      "What torques need is kept; meshes, colours and collision shapes of a URDF are not. What "
      "`parid check` would find\n"
      "is shown on standard error and written all the same.\n"
      "Example:  parid convert arm.urdf arm.toml");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli
