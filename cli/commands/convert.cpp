// parid convert: converts a robot file to another format.

#include <fmt/format.h>

#include <memory>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "model/compose.hpp"
#include "model/format/load.hpp"
#include "model/format/mjcf/mjcf_writer.hpp"
#include "model/format/toml/toml_value.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/frame.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "model/repair.hpp"

namespace parid::cli {
namespace convert_command {
namespace {

struct Options : RobotOptions {
  std::string out, output;  // the argument OUT, or -o
  bool json = false, repair = false;
  double density = 1000;
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
  first.write(text);
  second.write(rest);
  first.complete();
  second.complete();
  first.commit();
  second.commit();
}

bool names_urdf(const std::string& toml, const std::string& urdf) {
  std::ifstream there(toml);
  const std::string ours = fmt::format("urdf = {}", toml_quoted(urdf));
  for (std::string line; std::getline(there, line);)
    if (line == ours) return true;
  return false;
}

// The TOML file beside a URDF must not replace another robot, which is often the input.
void refuse_to_overwrite(const std::string& beside, const std::string& urdf) {
  if (std::error_code none; !std::filesystem::exists(beside, none) || names_urdf(beside, urdf))
    return;
  throw Error({beside, 0},
              "the file exists already; it is needed for gravity, bearings and drives, which URDF "
              "cannot express",
              "choose another name for the URDF file");
}

// What cannot be understood can be written as it is, but not be taken apart.
bool changes_structure(const Options& o) {
  return !o.locks.empty() || !o.attachments.empty() || !o.removed.empty() || o.repair ||
         !o.frames.empty() || o.tip;
}

// An unchanged xacro file is written as it expands: with meshes, colours and the rest.
bool keeps_expansion(const Options& o, const Description& d) {
  return o.robot.ends_with(".xacro") && !d.text.empty() && !o.floating && !o.no_rotors &&
         !o.full_rotors && !changes_structure(o);
}
std::string write_expansion(const Options& o, const Description& d) {
  write(o.out, fmt::format("<?xml version=\"1.0\"?>\n<!-- Expanded from {} by Parid. -->\n{}",
                           std::filesystem::path(o.robot).filename().string(), d.text));
  return "";
}

// Writes the URDF, and a TOML file beside it if URDF cannot express everything. Returns that file's
// name, or "".
std::string write_urdf(const Options& o, const Description& d, std::vector<std::string>& notes) {
  const std::filesystem::path path(o.out);
  const std::string urdf = path.filename().string(),
                    beside = std::filesystem::path(path).replace_extension(".toml").string();
  std::vector<std::string> head{fmt::format("Converted from {}.", o.robot)};
  if (!d.source.empty()) {
    std::istringstream lines(d.source);
    for (std::string line; std::getline(lines, line);) head.push_back(line);
  }
  const UrdfText text = to_urdf(d, head);
  notes = text.notes;
  const std::string rest = to_toml_beside(
      d, urdf,
      {{fmt::format("Properties that {} cannot express; converted from {}.", urdf, o.robot)}, {}});
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
  const MjcfText text = to_mjcf(d, {fmt::format("Converted from {}.", o.robot)});
  write(o.out, text.text);
  return text.notes;
}

int run(const CLI::App& c, Options& o) {
  if (o.out.empty() == o.output.empty())
    throw Error(o.out.empty() ? "OUT is missing; give the file to write, or -o FILE"
                              : "-o: OUT is given too; give one of them");
  if (o.out.empty()) o.out = o.output;
  if (o.json && o.out == "-")
    throw Error("OUT: --json uses standard output; give a file, or omit --json");
  const std::string ending = std::filesystem::path(o.out).extension().string();
  const bool mjcf = ending == ".xml" || ending == ".mjcf";
  if (!is_stream(o.out) && !mjcf && ending != ".toml" && ending != ".urdf")
    throw Error({o.out, 0}, "unknown type of output file", "end it in .toml, .urdf, .xml or .mjcf");
  if (!o.repair) refuse(c, {"--density"}, "it requires --repair");
  if (!(o.density > 0) || !std::isfinite(o.density))
    throw Error(fmt::format("--density: {}; give a number above zero, such as 1000", o.density));
  Description d = load_description(o.robot, load_options(o));
  for (const Finding& f : check(d))
    if (refuses(f, o.strict) && (o.strict || changes_structure(o))) throw Error(text(f));
  apply_options(d, o);
  std::vector<std::string> changes;
  if (o.repair) changes = repair_inertias(d, o.density);
  if (!o.frames.empty() || o.tip) d = with_frames_and_tip(Robot(std::move(d)), o).description();
  std::size_t errors = 0, warnings = 0;
  for (const Finding& f : check(d)) {
    ++(is_error(f) ? errors : warnings);
    say_note(text(f));
  }
  std::vector<std::string> notes;
  std::string beside;
  if (!mjcf) expand_frames(d);  // MJCF has sites for frames
  if (ending == ".urdf" && !is_stream(o.out))
    beside = keeps_expansion(o, d) ? write_expansion(o, d) : write_urdf(o, d, notes);
  else if (mjcf && !is_stream(o.out))
    notes = write_mjcf(o, d);
  else
    write(o.out, to_toml(d, {{fmt::format("Converted from {}.", o.robot)}, {}}));
  for (const std::string& said : changes) note("repaired: {}", said);
  if (o.repair && changes.empty()) note("note: no inertia had to be repaired");
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
           {"repaired", changes},
           {"notes", notes}});
  return 0;
}

}  // namespace
}  // namespace convert_command

void add_convert(CLI::App& app, Action& action) {
  using namespace convert_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("convert", "Convert a robot file to TOML, URDF or MJCF");
  c->add_option("IN", o.robot, robot_help)->required();
  c->add_option(
      "OUT", o.out,
      "output file: .toml, .urdf, or .xml or .mjcf for MJCF; '-' is standard output, as TOML");
  c->add_option("-o,--output", o.output, "the same as OUT")->option_text("FILE");
  c->add_flag("--floating", o.floating, "give the robot a floating base");
  add_robot_changes(*c, o);
  add_frame_and_tip(*c, o);
  add_rotors(*c, o);
  c->add_flag("--repair", o.repair,
              "make inertias physically consistent, and give links without mass that of their "
              "boxes, cylinders and spheres; each change is listed");
  c->add_option("--density", o.density, "density of those shapes in kg/m³, for --repair")
      ->option_text("KG")
      ->capture_default_str();
  c->add_flag("--json", o.json, "print one JSON object about the output");
  c->footer(
      "Everything that dynamics need is kept; meshes, colours and collision shapes are not, except "
      "where a xacro file is\nexpanded to URDF. Findings of `parid check` are\nprinted to standard "
      "error and do not stop the conversion. "
      "Properties that URDF cannot express (gravity other than\n9.81 m/s² downwards, bearings, "
      "drives) go to a TOML file of the same name beside the URDF file; load that one.\nMJCF has "
      "no velocity limits, Stribeck friction, bearings and drives: a note lists what is left "
      "out.\nExamples:  parid convert arm.urdf arm.toml\n           parid convert arm.xml "
      "arm.urdf\n           parid convert puma560 puma560.urdf");
  c->callback([&action, options, c] { action = [options, c] { return run(*c, *options); }; });
}

}  // namespace parid::cli
