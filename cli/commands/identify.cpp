// parid identify: estimates a robot's parameters from measurements.

#include <fmt/format.h>

#include <memory>

#include <cstdio>
#include <filesystem>

#include "base/file/csv.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/identification.hpp"
#include "identification/excite.hpp"
#include "identification/identify.hpp"
#include "identification/prior.hpp"
#include "model/format/load.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "motion/file/trajectory_file.hpp"

namespace parid::cli {
namespace identify_command {
namespace {

struct Options {
  RobotOptions robot;
  std::vector<std::string> logs, validate;
  std::optional<std::string> output, gravity;
  bool derive = false, json = false, suggest = false, no_friction = false;
  ModelOptions model;
  IdentifyOptions identify;
  double seconds = 10;
};

void require_ending(const Options& o, const char* good) {
  if (!o.output || *o.output == "-" || o.output->starts_with("/dev/")) return;
  if (std::filesystem::path(*o.output).extension() == good) return;
  throw Error({*o.output, 0}, "unknown type of output file",
              fmt::format("use the suffix {}", good));
}

Robot asked_robot(const Options& o, std::vector<std::string>& notes) {
  Description given = load_description(o.robot.robot, load_options(o.robot));
  if (o.robot.strict)
    for (const Finding& f : check(given))
      if (refuses(f, true)) throw Error(text(f));
  Description d = usable_prior(std::move(given), notes);
  for (const Finding& f : check(d))
    if (refuses(f)) throw Error(text(f));
  apply_options(d, o.robot);
  if (o.gravity) {
    const auto g = vector3("--gravity", *o.gravity);
    d.gravity = {g[0], g[1], g[2]};
  }
  return Robot(std::move(d));
}

std::vector<SampledTrajectory> read(const Options& o, const Robot& robot,
                                    const std::vector<std::string>& paths) {
  std::vector<SampledTrajectory> logs;
  for (const std::string& path : paths) {
    Progress progress("reading");
    logs.push_back(read_trajectory(
        robot, path, {o.derive, [&](double share) { progress.at(share); }, true, say_note}));
    if (logs.back().rows == 0)
      throw Error({path, 0}, "the log has no samples", "give a log with rows of numbers");
  }
  return logs;
}

int suggest(const Options& o, const Robot& robot) {
  if (!o.logs.empty())
    throw Error("--suggest: no logs are needed; it writes the motion along which to measure one");
  if (o.json && !o.output)
    throw Error("--suggest: --json uses standard output; give a file for the motion with -o");
  require_ending(o, ".csv");
  TorqueModel model(robot, o.model);
  const Excitation e = exciting_motion(
      model, {.seconds = o.seconds, .samples = static_cast<int>(100 * o.seconds) + 1});
  std::vector<std::string> columns{"t"};
  for (const std::string& n : robot.position_names()) columns.push_back("q:" + n);
  for (const char* part : {"v:", "a:"})
    for (const std::string& n : robot.velocity_names()) columns.push_back(part + n);
  CsvWriter csv(o.output.value_or("-"), columns);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  for (std::size_t r = 0; r < e.motion.rows; ++r) {
    std::vector<double> row{e.motion.t[r]};
    row.insert(row.end(), &e.motion.q[r * nq], &e.motion.q[r * nq] + nq);
    row.insert(row.end(), &e.motion.v[r * nv], &e.motion.v[r * nv] + nv);
    row.insert(row.end(), &e.motion.a[r * nv], &e.motion.a[r * nv] + nv);
    csv.row(row);
  }
  csv.commit();
  const bool lost = e.condition >= 1e9;
  if (o.json)
    print({{"schema", "parid.identify.suggest/1"},
           {"robot", robot.name()},
           {"samples", e.motion.rows},
           {"seconds", o.seconds},
           {"condition", lost ? Json(nullptr) : Json(e.condition)}});
  note(
      "{}: {} s within the limits, {}. Collisions are not checked: inspect the motion before you "
      "run it.",
      robot.name(), o.seconds,
      lost ? "some parameters are not identifiable with it"
           : fmt::format("condition number {:.3g}", e.condition));
  return 0;
}

void write_robot(const Options& o, const TorqueModel& model, const Identification& found) {
  const Description d = identified_robot(model, found);
  AtomicFile file(*o.output);
  file.write(to_toml(d, comments(model, found, o.logs)));
  file.commit();
}

int run(Options& o, const CLI::App& c) {
  if (o.suggest)
    refuse(c, {"--validate", "--derive", "--robust", "--rest"},
           "--suggest does not fit parameters; omit one of the two");
  else
    refuse(c, {"--seconds"}, "it requires --suggest");
  if (o.no_friction && !o.model.drives)
    refuse(c, {"--rest"},
           "joints at rest are excluded because of friction, and --no-friction has none; omit one "
           "of the two");
  o.model.friction = !o.no_friction;
  if (o.json && o.output && *o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
  std::vector<std::string> notes;
  const Robot robot = asked_robot(o, notes);
  if (o.suggest) return suggest(o, robot);
  if (o.logs.empty())
    throw Error(
        "identify: no log; give files with q, v, a and tau, or write a motion for measurements "
        "with --suggest");
  require_ending(o, ".toml");
  const std::vector<SampledTrajectory> logs = read(o, robot, o.logs),
                                       others = read(o, robot, o.validate);
  TorqueModel model(robot, o.model);
  Identification found;
  {
    Progress progress("fitting");
    auto options = o.identify;
    options.progress = [&](double share) { progress.at(share); };
    found = identify(model, logs, options);
  }
  for (const std::string& said : found.notes) notes.push_back(in_flags(said));
  const std::vector<TorqueFit> unseen =
      others.empty() ? std::vector<TorqueFit>{} : torque_fits(model, others, found, o.identify);
  if (o.output) write_robot(o, model, found);
  if (o.json) {
    print({{"schema", "parid.identify/1"},
           {"robot", robot.name()},
           {"samples", found.samples},
           {"equations", found.equations},
           {"condition", found.condition},
           {"passes", found.passes},
           {"relative_residual", relative_residual(found.fits, Whose::found)},
           {"relative_residual_given", relative_residual(found.fits, Whose::given)},
           {"relative_residual_physical", relative_residual(found.fits, Whose::physical)},
           {"parameters", json_of(found.estimates)},
           {"torques", json_of(found.fits)},
           {"validation", others.empty() ? Json(nullptr) : json_of(unseen)},
           {"validation_relative_residual",
            others.empty() ? Json(nullptr) : Json(relative_residual(unseen, Whose::physical))},
           {"notes", notes}});
  } else if (!o.output || *o.output != "-") {
    print_identification(model, found);
    if (!others.empty()) print_validation(unseen);
  }
  for (const std::string& said : notes) note("note: {}", said);
  return 0;
}

}  // namespace
}  // namespace identify_command

void add_identify(CLI::App& app, Action& action) {
  using namespace identify_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "identify", "Identify inertias, friction and drives from measured motion and torques");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_robot_changes(*c, o.robot);
  add_no_rotors(*c, o.robot);
  c->add_option("LOG", o.logs,
                "measured log: CSV with t,q:JOINT…,v:JOINT…,a:JOINT…,tau:JOINT… (or q1…,tau1…), "
                ".npy (N, nq + 3 nv), or .npz or .h5 with t, q, v, a, tau; several are combined");
  c->add_option("-o,--output", o.output,
                "write the identified robot to this .toml file (with --suggest: the motion, .csv)")
      ->option_text("FILE");
  c->add_option("--validate", o.validate, "logs for validation only")->option_text("LOG");
  c->add_flag("--derive", o.derive, "compute missing velocities and accelerations with splines");
  c->add_flag("--no-friction", o.no_friction, "the measured torques contain no friction");
  c->add_flag("--rotors", o.model.rotors,
              "identify rotor inertias too, if they can be distinguished from links");
  c->add_flag("--drives", o.model.drives,
              "identify the losses of each drive instead of using the robot file's");
  c->add_flag("--offsets", o.model.offsets, "identify a constant offset of each torque sensor");
  c->add_flag("--robust", o.identify.robust, "reduce the weight of outliers");
  c->add_option("--rest", o.identify.rest_velocity,
                "ignore the torque of a joint slower than this (default: 0)")
      ->option_text("SPEED");
  c->add_option("--gravity", o.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  c->add_flag("--suggest", o.suggest, "write a motion that excites all parameters");
  c->add_option("--seconds", o.seconds, "duration of the suggested motion (default: 10)")
      ->check(CLI::Range(0.5, 600.0))
      ->option_text("S");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "The inertias of the robot file are the start of the search; they may be wrong or "
      "impossible.\nExamples:  parid identify arm.urdf --suggest -o motion.csv\n           parid "
      "identify arm.urdf measured.csv --validate other.csv -o arm.toml");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
