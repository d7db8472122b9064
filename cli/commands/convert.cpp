// parid convert: a robot file as another kind of robot file.

#include <fmt/format.h>

#include <memory>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "model/format/load.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/format/toml/toml_value.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/lint/check.hpp"

namespace parid::cli {
namespace {

struct Options {
  std::string in, out;
  bool json = false, floating = false;
};

bool is_stream(const std::string& path) { return path == "-" || path.starts_with("/dev/"); }

void write(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}
void write(const std::string& path, const std::string& text, const std::string& beside,
           const std::string& rest) {
  AtomicFile first(path), second(beside);
  first.write(text), second.write(rest);
  first.complete(), second.complete();
  first.commit(), second.commit();
}

bool names_urdf(const std::string& toml, const std::string& urdf) {
  std::ifstream there(toml);
  const std::string ours = fmt::format("urdf = {}", toml_quoted(urdf));
  for (std::string line; std::getline(there, line);)
    if (line == ours) return true;
  return false;
}

// The TOML beside a URDF must not replace another robot: often it would be the one that is read.
void refuse_to_overwrite(const std::string& beside, const std::string& urdf) {
  if (std::error_code none; !std::filesystem::exists(beside, none) || names_urdf(beside, urdf))
    return;
  throw Error({beside, 0},
              "the file exists already; it is needed for gravity, bearings and drives, which URDF "
              "cannot express",
              "choose another name for the URDF file");
}

// The URDF, and the TOML beside it where there is more to say. Returns what that is called, or "".
std::string write_urdf(const Options& o, const Description& d, std::vector<std::string>& notes) {
  const std::filesystem::path path(o.out);
  const std::string urdf = path.filename().string(),
                    beside = std::filesystem::path(path).replace_extension(".toml").string();
  std::vector<std::string> head{fmt::format("Converted from {}.", o.in)};
  if (!d.source.empty()) {
    std::istringstream lines(d.source);
    for (std::string line; std::getline(lines, line);) head.push_back(line);
  }
  const UrdfText text = to_urdf(d, head);
  notes = text.notes;
  const std::string rest = to_toml_beside(
      d, urdf,
      {{fmt::format("Properties that {} cannot express; converted from {}.", urdf, o.in)}, {}});
  if (!rest.empty()) {
    refuse_to_overwrite(beside, urdf);
    notes.push_back(
        fmt::format("gravity, bearings and drives, which URDF cannot express, are in {}; load that "
                    "file, which refers to the URDF file",
                    beside));
  } else if (names_urdf(beside, urdf)) {
    notes.push_back(fmt::format(
        "{} refers to this URDF file but belongs to an earlier one; remove it", beside));
  }
  if (rest.empty())
    write(o.out, text.text);
  else
    write(o.out, text.text, beside, rest);
  return rest.empty() ? "" : beside;
}

std::vector<std::string> write_mjcf(const Options& o, const Description& d) {
  const MjcfText text = to_mjcf(d, {fmt::format("Converted from {}.", o.in)});
  write(o.out, text.text);
  return text.notes;
}

int run(const Options& o) {
  if (o.json && o.out == "-")
    throw Error("OUT: --json uses standard output; give a file, or omit --json");
  const std::string ending = std::filesystem::path(o.out).extension().string();
  const bool mjcf = ending == ".xml" || ending == ".mjcf";
  if (!is_stream(o.out) && !mjcf && ending != ".toml" && ending != ".urdf")
    throw Error({o.out, 0}, "unknown type of output file", "end it in .toml, .urdf, .xml or .mjcf");
  const Description d = load_description(o.in, o.floating);
  std::size_t errors = 0, warnings = 0;
  for (const Finding& f : check(d)) {
    ++(is_error(f) ? errors : warnings);
    say_note(text(f));
  }
  std::vector<std::string> notes;
  std::string beside;
  if (ending == ".urdf" && !is_stream(o.out))
    beside = write_urdf(o, d, notes);
  else if (mjcf && !is_stream(o.out))
    notes = write_mjcf(o, d);
  else
    write(o.out, to_toml(d, {{fmt::format("Converted from {}.", o.in)}, {}}));
  for (const std::string& said : notes) note("note: {}", said);
  if (o.json)
    print({{"schema", "parid.convert/1"},
           {"robot", d.name},
           {"file", o.out},
           {"beside", beside.empty() ? Json(nullptr) : Json(beside)},
           {"links", d.links.size()},
           {"joints", d.joints.size()},
           {"errors", errors},
           {"warnings", warnings},
           {"notes", notes}});
  return 0;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("convert", "Convert a robot file to TOML, URDF or MJCF");
  c->add_option("IN", o.in, robot_help)->required();
  c->add_option(
       "OUT", o.out,
       "output file: .toml, .urdf, or .xml or .mjcf for MJCF; '-' is standard output, as TOML")
      ->required();
  c->add_flag("--floating", o.floating, "give the robot a floating base");
  c->add_flag("--json", o.json, "print one JSON object about the output");
  c->footer(
      "Everything that dynamics need is kept; meshes, colours and collision shapes are not. "
      "Findings of `parid check` are\nprinted to standard error and do not stop the conversion. "
      "Properties that URDF cannot express (gravity other than\n9.81 m/s² downwards, bearings, "
      "drives) go to a TOML file of the same name beside the URDF file; load that one.\nMJCF has "
      "no velocity limits, Stribeck friction, bearings and drives: a note lists what is left "
      "out.\nExamples:  parid convert arm.urdf arm.toml\n           parid convert arm.xml "
      "arm.urdf\n           parid convert puma560 puma560.urdf");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
