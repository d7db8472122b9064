// parid identify: estimates a robot's parameters from measurements.

#include <fmt/format.h>

#include <memory>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/file/csv.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/output/waiting.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/identification.hpp"
#include "identification/excite.hpp"
#include "identification/friction_choice.hpp"
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
  std::optional<std::string> output, gravity, filter, friction;
  bool derive = false, json = false, suggest = false, no_friction = false;
  bool refuse_above_noise = false;
  ModelOptions model;
  IdentifyOptions identify;
  double seconds = 10;
  std::optional<double> acceleration;
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

bool filters(const Options& o) { return o.identify.filter.kind != FilterKind::none; }
bool computes_derivatives(const Options& o) { return o.derive || filters(o); }

std::vector<SampledTrajectory> read(const Options& o, const Robot& robot,
                                    const std::vector<std::string>& paths) {
  std::vector<SampledTrajectory> logs;
  for (const std::string& path : paths) {
    Progress progress("reading");
    logs.push_back(read_trajectory(
        robot, path,
        {computes_derivatives(o), [&](double share) { progress.at(share); }, true, say_note}));
    if (logs.back().rows == 0)
      throw Error({path, 0}, "the log has no samples", "give a log with rows of numbers");
  }
  return logs;
}

// " (80 % of position, 52 % of velocity, 31 % of effort)", of those that the robot file gives.
std::string used_limits(const ExcitationMotion& e) {
  std::string text;
  const std::pair<const char*, double> uses[] = {
      {"position", e.position_use}, {"velocity", e.velocity_use}, {"effort", e.effort_use}};
  for (const auto& [what, use] : uses)
    if (!std::isnan(use))
      text += fmt::format("{}{:.0f} % of {}", text.empty() ? " (" : ", ", 100 * use, what);
  return text.empty() ? "" : text + ")";
}

int suggest(const Options& o, const Robot& robot) {
  if (!o.logs.empty())
    throw Error("--suggest: no logs are needed; it writes the motion along which to measure one");
  if (o.json && !o.output)
    throw Error("--suggest: --json uses standard output; give a file for the motion with -o");
  require_ending(o, ".csv");
  TorqueModel model(robot, o.model);
  ExcitationOptions wanted;
  wanted.seconds = o.seconds;
  wanted.samples = static_cast<int>(100 * o.seconds) + 1;
  if (o.acceleration) wanted.acceleration = *o.acceleration;
  std::optional<Waiting> waiting(std::in_place, "planning the motion");
  const ExcitationMotion e = exciting_motion(model, wanted);
  waiting.reset();
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
           {"condition", lost ? Json(nullptr) : Json(e.condition)},
           {"position_use", finite(e.position_use)},
           {"velocity_use", finite(e.velocity_use)},
           {"effort_use", finite(e.effort_use)},
           {"acceleration", e.acceleration}});
  if (e.effort_use > 1)
    note(
        "warning: {}: effort limits do not hold ({:.3g} % are used, with the file's inertias): "
        "even "
        "standing in the middle of its ranges the robot exceeds them; check the limits and masses",
        robot.name(), 100 * e.effort_use);
  note(
      "{}: {} s within the limits{}{}, {}. Collisions are not checked: inspect the motion before "
      "you "
      "run it.",
      robot.name(), o.seconds, e.effort_use > 1 ? " of position and velocity" : "", used_limits(e),
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

// Options that say how logs are used, as one.
void settle(Options& o, const CLI::App& c) {
  if (o.suggest)
    refuse(c,
           {"--validate", "--derive", "--robust", "--rest", "--filter", "--cutoff",
            "--max-residual", "--max-noise-ratio"},
           "--suggest does not fit parameters; omit one of the two");
  else
    refuse(c, {"--seconds", "--acceleration"}, "it requires --suggest");
  if (o.no_friction)
    refuse(c, {"--friction"}, "--no-friction is --friction none; omit one of the two");
  if (o.no_friction) o.friction = "none";
  o.model.friction = friction_model(o.friction.value_or("coulomb"));
  if (o.suggest && o.model.friction == FrictionModel::automatic)
    throw Error("--friction: auto compares models on logs, and --suggest has none; name a model");
  if (o.model.friction == FrictionModel::none && !o.model.drives)
    refuse(c, {"--rest"},
           "joints at rest are excluded because of friction, and --no-friction has none; omit one "
           "of the two");
  // Positions that must be differentiated are filtered.
  if (o.filter)
    o.identify.filter.kind = filter_kind(*o.filter);
  else
    o.identify.filter.kind =
        o.derive || o.identify.filter.cutoff != 0 ? FilterKind::butterworth : FilterKind::none;
  if (!filters(o)) refuse(c, {"--cutoff"}, "--filter none has no cut-off; omit one of the two");
  o.identify.splines = o.derive && !filters(o);
  o.refuse_above_noise = given(c, "--max-noise-ratio");
}

int run(Options& o, const CLI::App& c) {
  settle(o, c);
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
  const std::vector<SampledTrajectory> given_logs = read(o, robot, o.logs),
                                       given_others = read(o, robot, o.validate);
  const PreparedLogs logs(robot, given_logs, o.identify.filter),
      others(robot, given_others, o.identify.filter);
  FrictionChoice friction;
  Identification found;
  auto options = o.identify;
  {
    Progress progress("comparing friction models");
    options.progress = [&](double share) { progress.at(share); };
    friction = chosen_friction(robot, o.model, logs, options);
  }
  TorqueModel model(robot, friction.model);
  {
    Progress progress("fitting");
    options.progress = [&](double share) { progress.at(share); };
    found = identify(model, logs, options);
  }
  for (const std::string& said : found.notes) notes.push_back(in_flags(said));
  const std::vector<TorqueFit> unseen = given_others.empty()
                                            ? std::vector<TorqueFit>{}
                                            : torque_fits(model, others, found, o.identify);
  const bool refused = found.verdict == FitVerdict::poor ||
                       (found.verdict == FitVerdict::above_noise && o.refuse_above_noise);
  if (o.output && !refused) write_robot(o, model, found);
  if (o.json) {
    print({{"schema", "parid.identify/1"},
           {"robot", robot.name()},
           {"samples", found.samples},
           {"equations", found.equations},
           {"condition", found.condition},
           {"passes", found.passes},
           {"verdict", name(found.verdict)},
           {"reason", in_flags(found.reason)},
           {"filters", json_of(found.filters)},
           {"friction", name(friction.model.friction)},
           {"friction_scores", json_of(friction.scores)},
           {"relative_residual", finite(relative_residual(found.fits, Whose::found))},
           {"relative_residual_given", finite(relative_residual(found.fits, Whose::given))},
           {"relative_residual_physical", finite(relative_residual(found.fits, Whose::physical))},
           {"relative_noise", finite(relative_residual(found.fits, Whose::expected))},
           {"parameters", json_of(found.estimates)},
           {"torques", json_of(found.fits)},
           {"validation", given_others.empty() ? Json(nullptr) : json_of(unseen)},
           {"validation_relative_residual",
            given_others.empty() ? Json(nullptr)
                                 : finite(relative_residual(unseen, Whose::physical))},
           {"notes", notes}});
  } else if (!o.output || *o.output != "-") {
    print_filters(found.filters, o.logs);
    print_friction_scores(friction.scores);
    print_identification(model, found);
    if (!given_others.empty()) print_validation(unseen);
  }
  for (const std::string& said : notes) note("note: {}", said);
  if (refused) {
    say_error(fmt::format("error: {}{}", found.reason,
                          o.output ? fmt::format(". '{}' was not written", *o.output) : ""));
    return 1;
  }
  if (!found.reason.empty()) note("warning: {}", found.reason);
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
  c->add_flag("--derive", o.derive,
              "compute missing velocities and accelerations from filtered positions; with --filter "
              "none, from splines through the positions");
  c->add_option(
       "--filter", o.filter,
       "low-pass without delay: butterworth (forward and backward), savitzky-golay, none. "
       "Velocities and accelerations are computed from the filtered positions, and torques "
       "are filtered alike (default: butterworth with --derive, otherwise none)")
      ->check(one_of({"butterworth", "savitzky-golay", "none"}))
      ->option_text("NAME");
  c->add_option("--cutoff", o.identify.filter.cutoff,
                "cut-off frequency of the filter (default: from the spectrum of the positions)")
      ->check(CLI::PositiveNumber)
      ->option_text("HZ");
  c->add_option(
       "--friction", o.friction,
       "friction to identify: none, viscous, coulomb (with viscous), asymmetric, stribeck; "
       "auto: the one that predicts best, by cross-validation (default: coulomb)")
      ->check(one_of({"none", "viscous", "coulomb", "asymmetric", "stribeck", "auto"}))
      ->option_text("MODEL");
  c->add_flag("--no-friction", o.no_friction,
              "the measured torques contain no friction: --friction none");
  c->add_flag("--rotors", o.model.rotors,
              "identify rotor inertias too, if they can be distinguished from links");
  c->add_flag("--drives", o.model.drives,
              "identify the losses of each drive instead of using the robot file's");
  c->add_flag("--offsets", o.model.offsets, "identify a constant offset of each torque sensor");
  c->add_flag("--robust", o.identify.robust, "reduce the weight of outliers");
  c->add_option("--rest", o.identify.rest_velocity,
                "ignore the torque of a joint slower than this (default: 0)")
      ->option_text("SPEED");
  c->add_option("--max-residual", o.identify.max_residual,
                "exit with 1 and write no robot if the residual exceeds this fraction of the "
                "torques (default: 0.2)")
      ->check(CLI::PositiveNumber)
      ->option_text("SHARE");
  c->add_option("--max-noise-ratio", o.identify.max_noise_ratio,
                "exit with 1 and write no robot if a joint's residual exceeds this many times the "
                "noise of the log (default: warn above 2)")
      ->check(CLI::PositiveNumber)
      ->option_text("RATIO");
  c->add_option("--gravity", o.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  c->add_flag("--suggest", o.suggest, "write a motion that excites all parameters");
  c->add_option("--seconds", o.seconds, "duration of the suggested motion (default: 10)")
      ->check(CLI::Range(0.5, 600.0))
      ->option_text("S");
  c->add_option("--acceleration", o.acceleration,
                "largest acceleration of the suggested motion, rad/s² or m/s²")
      ->check(CLI::PositiveNumber)
      ->option_text("A");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "The inertias of the robot file are the start of the search; they may be wrong or "
      "impossible.\nExamples:  parid identify arm.urdf --suggest -o motion.csv\n           parid "
      "identify arm.urdf measured.csv --derive --friction auto --validate other.csv -o arm.toml");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
