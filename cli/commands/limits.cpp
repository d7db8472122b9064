// parid limits: whether joints and motors hold, along motions or over the workspace.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "cli/command.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/limits_report.hpp"
#include "dynamics/friction_stage.hpp"
#include "parid/limits.hpp"

namespace parid::cli {
namespace limits_command {
namespace {

struct Options : TorqueOptions {
  std::vector<std::string> files, names;  // motions
  std::string margin = "0";
  double duty = 1;
  bool no_friction = false, allow_missing = false, heaviest = false, map = false;
  std::size_t poses = 20000, rings = 20;
  std::uint64_t seed = 1;
};

// "0.2" or "20%".
double asked_margin(std::string text) {
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const std::vector<double> x = numbers("--margin", text);
  const double margin = x.size() == 1 ? x[0] / (percent ? 100 : 1) : -1;
  if (!(margin >= 0 && margin < 1))
    throw Error(fmt::format(
        "--margin: '{}{}' is out of range; give a share from 0 to below 1, such as 0.2 or 20%",
        text, percent ? "%" : ""));
  return margin;
}

struct AskedMotion {
  std::string name;
  MotionOptions options;
};
std::vector<AskedMotion> asked_motions(const Options& o) {
  std::vector<AskedMotion> all;
  for (const std::string& file : o.files) {
    MotionOptions m = o.motion;
    m.file = file;
    all.push_back({file, m});
  }
  for (const std::string& name : o.names) {
    MotionOptions m = o.motion;
    m.name = name;
    all.push_back({name, m});
  }
  if (all.empty()) all.push_back({"default", o.motion});
  for (const AskedMotion& m : all) check_motion_options(m.options);
  return all;
}

// Where the payload is, and how heavy. Without one, at the tip.
struct AskedPayload {
  PayloadPlace place;
  double mass = 0;
};
AskedPayload asked_payload(const Options& o) {
  AskedPayload p;
  if (!o.payload) return p;
  const auto [link, x] = numbers_at_link("--payload", *o.payload);
  p.place.link = link;
  p.mass = x.empty() ? 0 : x[0];
  if (x.size() >= 4) p.place.centre = {x[1], x[2], x[3]};
  return p;
}

int run_map(const Options& o, double margin) {
  if (o.plot) check_plot_path("--plot", *o.plot);
  Options without = o;
  without.payload.reset();
  const Robot robot = asked_robot(without);
  if (o.payload)
    asked_robot([&] {
      Options again = o;
      again.silent = true;
      return again;
    }());  // or an Error
  const AskedPayload payload = asked_payload(o);
  PayloadMapOptions m;
  m.place = payload.place;
  m.margin = margin;
  m.poses = o.poses;
  m.rings = o.rings;
  m.seed = o.seed;
  m.threads = o.threads;
  Progress progress("payload map");
  m.progress = [&](double share) { progress.at(share); };
  const PayloadMap map = payload_map(robot, m);
  const bool known = o.allow_missing || map.without_effort_limit.empty();
  const bool holds = map.empty_holds && map.everywhere >= payload.mass;
  if (o.json) {
    print({{"schema", "parid.limits/1"},
           {"robot", robot.name()},
           {"holds", !holds  ? Json(false)
                     : known ? Json(true)
                             : Json(nullptr)},
           {"margin", margin},
           {"payload", payload.mass},
           {"limits_missing", {{"effort", map.without_effort_limit}}},
           {"map", json_of(map)}});
  } else {
    print_map(map, margin);
    const std::string what =
        o.payload ? fmt::format("{:.4g} kg", payload.mass) : std::string("the robot's own weight");
    if (!holds)
      fmt::print("{}\n",
                 painted(stdout, Paint::red, fmt::format("NO: {} does not hold everywhere", what)));
    else if (!known)
      fmt::print("{}\n", painted(stdout, Paint::yellow,
                                 "UNKNOWN: not every torque is limited by the robot file; add "
                                 "effort limits, or check the others with --allow-missing"));
    else
      fmt::print("YES: {} holds in every pose found\n", what);
  }
  if (o.plot) plot(map_figure(robot, map), *o.plot, o.plot_style);
  return holds && known ? 0 : 1;
}

// Over all motions the smallest.
HeaviestPayload heaviest_of(const Options& o, double margin,
                            const std::vector<SampledTrajectory>& motions) {
  Options without = o;
  without.payload.reset();
  without.silent = true;
  const Robot robot = asked_robot(without);
  HeaviestPayload least;
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const HeaviestPayload h = heaviest_payload(
        robot, motions[k], asked_payload(o).place,
        {.margin = margin, .duty = o.duty, .friction = o.friction, .threads = o.threads});
    if (k == 0 || h.mass < least.mass || !h.empty_holds) least = h;
    if (!least.empty_holds) break;
  }
  return least;
}

void print_heaviest(const HeaviestPayload& h) {
  if (!h.empty_holds)
    fmt::print("heaviest payload: none; the torque limits are exceeded without one\n");
  else if (!std::isfinite(h.mass))
    fmt::print("heaviest payload: no torque limit depends on it\n");
  else
    fmt::print("heaviest payload: {:.4g} kg, bounded by the {} of {}\n", h.mass, name(h.kind),
               h.coordinate);
}

int run_motions(Options o, double margin) {
  const std::vector<AskedMotion> asked = asked_motions(o);
  if (o.plot) {
    check_plot_path("--plot", *o.plot);
    if (asked.size() > 1) throw Error("--plot: give one motion; several do not share a time axis");
  }
  if (o.heaviest && o.tip_wrench)
    throw Error("--heaviest: it does not count a wrench; omit --tip-wrench");
  const Robot robot = asked_robot(o);
  const ExternalLoads around = asked_external_loads(o, robot);
  const bool has_friction = !FrictionStage<double>(robot.canonical()).nothing();
  if (o.no_friction && !has_friction)
    note("{}: note: the robot has no friction, bearings or drives; --no-friction has no effect",
         robot.description().file);
  o.friction = has_friction && !o.no_friction;
  const LimitsOptions options{
      .margin = margin, .duty = o.duty, .friction = o.friction, .threads = o.threads};
  std::vector<CheckedMotion> motions;
  std::vector<SampledTrajectory> sampled;
  LimitsReport all;
  std::vector<std::size_t> which;
  std::optional<Figure> figure;
  for (const AskedMotion& each : asked) {
    SampledTrajectory m = asked_motion(robot, each.options);
    const Torques torques = asked_torques(o, robot, around, m);
    motions.push_back({each.name, m.t, check_limits(robot, m, torques.tau, options)});
    merge(all, motions.back().report, which, motions.size() - 1);
    if (o.plot) figure = limits_figure(robot, m, torques.tau);
    if (o.heaviest) sampled.push_back(std::move(m));
  }
  std::optional<HeaviestPayload> heaviest;
  if (o.heaviest) heaviest = heaviest_of(o, margin, sampled);
  if (figure && figure->panels.empty())
    throw Error("--plot: no joint has a torque limit; there is nothing to plot");
  const Json holds = holds_json(all.verdict, o.allow_missing);
  if (o.json) {
    Json object{{"schema", "parid.limits/1"}, {"robot", robot.name()}, {"holds", holds},
                {"margin", margin},           {"duty", o.duty},        {"friction", o.friction}};
    Json each = Json::array();
    for (const CheckedMotion& m : motions)
      each.push_back(
          {{"name", m.name},
           {"samples", m.report.rows},
           {"duration", std::isfinite(m.report.duration) ? Json(m.report.duration) : Json(nullptr)},
           {"holds", holds_json(m.report.verdict, o.allow_missing)}});
    object["motions"] = each;
    add_loads(object, all, motions, which);
    if (heaviest)
      object["heaviest_payload"] = {
          {"mass", std::isfinite(heaviest->mass) ? Json(heaviest->mass) : Json(nullptr)},
          {"empty_holds", heaviest->empty_holds},
          {"coordinate", heaviest->coordinate.empty() ? Json(nullptr) : Json(heaviest->coordinate)},
          {"kind", heaviest->coordinate.empty() ? Json(nullptr) : Json(name(heaviest->kind))}};
    print(object);
  } else {
    fmt::print("{}{}: {}, {} samples", robot.name(),
               o.payload ? fmt::format(" with a payload of {}", *o.payload) : "",
               motions.size() == 1 ? "motion " + motions[0].name
                                   : fmt::format("{} motions", motions.size()),
               all.rows);
    if (std::isfinite(all.duration)) fmt::print(", {:.4g} s", all.duration);
    fmt::print("; {}\n\n", o.friction     ? "friction counts"
                           : has_friction ? "friction does not count"
                                          : "the robot file has no friction");
    print_loads(all, motions, which);
    if (heaviest) print_heaviest(*heaviest);
    print_verdict(all, motions, o.allow_missing);
  }
  if (figure) plot(*figure, *o.plot, o.plot_style);
  return holds.is_boolean() && holds.get<bool>() ? 0 : 1;
}

int run(const Options& o, const CLI::App& c) {
  for (const std::string& name : o.names)
    if (name == "help") return print_named_motions(), 0;
  const double margin = asked_margin(o.margin);
  if (!(o.duty > 0 && o.duty <= 1))
    throw Error(
        fmt::format("--duty: {} is out of range; give a share of time above 0 to 1, such "
                    "as 0.4",
                    o.duty));
  if (!o.map) {
    refuse(c, {"--poses", "--rings", "--seed"}, "it is for a payload map; give --map too");
    return run_motions(o, margin);
  }
  refuse(c,
         {"MOTION", "--motion", "--rate", "--derive", "--duty", "--no-friction", "--heaviest",
          "--tip-wrench", "--floating"},
         "a payload map holds poses at rest; omit it, or omit --map");
  return run_map(o, margin);
}

}  // namespace
}  // namespace limits_command

void add_limits(CLI::App& app, Action& action) {
  using namespace limits_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "limits", "Check joints and motors against motions and payloads: do they hold?");
  c->add_option("ROBOT", o.robot, robot_help)->required();
  add_robot_file(*c, o);
  c->add_option("MOTION", o.files,
                "motion files as for `parid torque`; several are checked one by one. Default: a "
                "minimum-jerk motion within the position and velocity limits");
  c->add_option("--motion", o.names, "motion by name, as for `parid torque`; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  c->add_option("--rate", o.motion.rate, "samples per second of motions by name or in .toml")
      ->option_text("HZ");
  c->add_flag("--derive", o.motion.derive,
              "compute missing velocities and accelerations with splines");
  c->add_option("--payload", o.payload,
                "attach a body to a link (default: the tip), in the link's frame: MASS, or "
                "MASS,X,Y,Z, or MASS,X,Y,Z,Ixx,Iyy,Izz,Ixy,Ixz,Iyz about its centre of mass")
      ->option_text("[LINK:]MASS...");
  c->add_option("--margin", o.margin,
                "share of each torque, speed and power limit that stays free, such as 0.2 or 20% "
                "(default: 0)")
      ->option_text("SHARE");
  c->add_option("--duty", o.duty,
                "share of time for which the motion runs, for continuous (RMS) limits; motors give "
                "no torque in the rest (default: 1)")
      ->option_text("SHARE");
  c->add_flag("--no-friction", o.no_friction,
              "leave out bearing friction and drive losses of the robot file");
  c->add_flag("--allow-missing", o.allow_missing,
              "answer for the limits that the robot file gives; otherwise a joint without a torque "
              "limit makes the answer unknown (exit code 1)");
  c->add_flag("--heaviest", o.heaviest,
              "compute the heaviest point mass, at the place of --payload, that keeps the torque "
              "limits along the motions");
  c->add_flag("--map", o.map,
              "payload map instead of a motion: the heaviest load at each reach, at rest, over "
              "random poses");
  c->add_option("--poses", o.poses, "random poses of --map (default: 20000)")
      ->check(CLI::Range(1, 10'000'000))
      ->option_text("N");
  c->add_option("--rings", o.rings, "intervals of reach of --map (default: 20)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  c->add_option("--seed", o.seed, "seed of --map (default: 1)")->option_text("N");
  c->add_option("--plot", o.plot,
                "plot torques as shares of their limits, or the payload map, to .pdf, .svg or .png "
                "(needs gnuplot)")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_option("--gravity", o.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_option("--tip-wrench", o.tip_wrench,
                "force and moment that the environment exerts on a link (default: the tip) at its "
                "origin, in its frame: FX,FY,FZ,NX,NY,NZ")
      ->option_text("[LINK:]FX..NZ");
  c->add_flag("--floating", o.floating, "give the robot a floating base");
  c->add_option("--threads", o.threads, "number of threads (default: all cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  add_strict(*c, o);
  add_lock(*c, o);
  add_frame_and_tip(*c, o);
  add_rotors(*c, o);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Exit code 0: every limit holds. 1: a limit is exceeded, or a joint has no torque limit. "
      "Friction of the robot file counts. docs/limits.md explains motors, margins and maps.\n"
      "Examples:  parid limits ur5 --payload 5\n           parid limits panda pick.toml place.csv "
      "--payload 2,0,0,0.1 --margin 20%\n           parid limits ur5 --motion default --heaviest\n"
      "           parid limits ur5 --map --payload 5 --plot map.svg");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
