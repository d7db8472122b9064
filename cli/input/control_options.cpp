#include "cli/input/control_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "model/description.hpp"
#include "motion/file/motion_file.hpp"
#include "motion/file/trajectory_file.hpp"
#include "motion/interpolated.hpp"
#include "motion/named_motions.hpp"
#include "motion/sine.hpp"

namespace parid::cli {
namespace {

Robot with_masses(const Robot& robot, double factor) {
  Description d = robot.description();
  for (LinkDescription& link : d.links) {
    if (!link.inertia) continue;
    link.inertia->mass *= factor;
    Sym3<double>& I = link.inertia->about_com;
    for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *x *= factor;
  }
  return Robot(std::move(d));
}

TrajectoryPointer asked_sine(const Robot& robot, const std::string& text, double time) {
  const std::size_t at = text.find('@');
  std::vector<double> amplitude = numbers("--motion", text.substr(5, at - 5));
  const std::vector<double> frequency =
      at == std::string::npos ? std::vector{1.0} : numbers("--motion", text.substr(at + 1));
  const std::vector<double> q0 = robot.neutral();
  if (amplitude.size() == 1) amplitude.assign(q0.size(), amplitude[0]);
  if (amplitude.size() != q0.size() || frequency.size() != 1 || !(frequency[0] > 0))
    throw Error(
        fmt::format("--motion: invalid motion '{}'; '{}' needs sine: and {} amplitudes (or one for "
                    "all), optionally followed by @ and a frequency in rad/s",
                    text, robot.name(), q0.size()));
  return sine(q0, std::move(amplitude), frequency[0], time);
}

}  // namespace

void add_law_options(CLI::App& c, ControlLawOptions& o) {
  c.add_option(
       "ROBOT", o.robot.robot,
       "a built-in name (see `parid robots`) or a robot file: URDF, xacro, MJCF, SDF or TOML")
      ->required();
  std::string laws;
  for (const ControllerEntry& e : controllers()) laws += fmt::format("\n  {:<16} {}", e.id, e.what);
  c.add_option("--law", o.law, "control law (default: " + o.law + "):" + laws)->option_text("NAME");
  CLI::Option* gains =
      c.add_option("--gains", o.gains, "position and velocity gain of all joints, such as 100,20")
          ->option_text("KP,KD");
  c.add_option("--kp", o.kp,
               "position gains by joint, or one for all (default: a bandwidth of 20 rad/s, or "
               "critical damping with the other)")
      ->excludes(gains)
      ->option_text("K,...");
  c.add_option("--kd", o.kd, "velocity gains, likewise")->excludes(gains)->option_text("K,...");
  c.add_option(
       "--payload", o.robot.payload,
       "attach a body to a link, as in `parid torque`; it is not part of the controller's model")
      ->option_text("[LINK:]MASS...");
  c.add_option(
       "--mass-error", o.mass_error,
       "relative error of the masses and inertias in the controller's model: 0.1 is 10 % too large")
      ->option_text("X");
  c.add_option("--model", o.model, "robot of the controller's model (default: ROBOT)")
      ->option_text("ROBOT");
  c.add_option("--gravity", o.robot.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  add_elastic(c, o.elastic, o.measure);
  add_robot_changes(c, o.robot);
  add_frame_and_tip(c, o.robot);
  add_no_rotors(c, o.robot);
  add_force(c, o.robot);
}

ControlledRobot asked_robots(const ControlLawOptions& o) {
  if (!(o.mass_error > -1) || !std::isfinite(o.mass_error))
    throw Error(fmt::format("--mass-error: {} leaves no mass; give a fraction such as 0.1 or -0.1",
                            o.mass_error));
  const Robot plant = asked_robot(o.robot);
  if (o.elastic)
    require_elastic(plant);
  else
    note_rigid(plant);
  TorqueOptions known = o.robot;
  known.payload.reset();
  known.silent = true;
  if (o.model) known.robot = *o.model;
  Robot model = asked_robot(known);
  if (o.mass_error != 0) model = with_masses(model, 1 + o.mass_error);
  demand_single_freedoms(plant);
  demand_single_freedoms(model);
  return {plant, model};
}

LawDesign asked_design(const ControlLawOptions& o, const Robot& model, const Policy& policy,
                       std::span<const double> q) {
  Gains gains;
  if (o.gains) {
    const std::vector<double> both = numbers("--gains", *o.gains);
    if (both.size() != 2)
      throw Error(
          fmt::format("--gains: {} numbers given; give a position and a velocity gain, such as "
                      "100,20 (--kp and --kd accept one per joint)",
                      both.size()));
    gains = {{both[0]}, {both[1]}};
  }
  if (o.kp) gains.kp = numbers("--kp", *o.kp);
  if (o.kd) gains.kd = numbers("--kd", *o.kd);
  LawDesign d = design(model, o.law, std::move(gains), policy, q);
  d.elastic = o.elastic;
  d.measure_links = o.measure == "link";
  return d;
}

TrajectoryPointer asked_trajectory(const Robot& robot, const std::optional<std::string>& motion,
                                   double time) {
  if (motion && motion->starts_with("sine:")) return asked_sine(robot, *motion, time);
  const auto named = named_motions();
  for (const NamedMotion& n : named)
    if (n.is(motion.value_or("default"))) return n.trajectory(robot);
  if (std::error_code none;
      !std::filesystem::exists(*motion, none) && std::filesystem::path(*motion).extension().empty())
    named_motion(*motion);  // an Error with the names
  if (std::filesystem::path(*motion).extension() == ".toml") {
    const MotionFile file = read_motion_file(robot, *motion);
    for (const std::string& warning : file.warnings) say_note(warning);
    return file.trajectory;
  }
  return interpolated(robot, read_trajectory(robot, *motion, {.warn = say_note}));
}

std::string policy_help() {
  std::string text;
  for (const PolicyEntry& e : policies()) text += fmt::format("\n  {:<20} {}", e.id, e.what);
  return text + fmt::format("\n  {:<20} {}", "FILE.toml", "a table of ages; see `parid policy`");
}

std::vector<double> asked_pose(const Robot& robot, const char* option, const std::string& text) {
  std::vector<double> x = numbers(option, text);
  if (x.size() != static_cast<std::size_t>(robot.nq()))
    throw Error(fmt::format("{}: {} number{} given; this robot needs {}: {}", option, x.size(),
                            x.size() == 1 ? "" : "s", robot.nq(),
                            fmt::join(robot.position_names(), ", ")));
  return x;
}

}  // namespace parid::cli
