// parid simulate: the motion of a robot under torques of a controller, of a file, or none.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "cli/command.hpp"
#include "cli/input/motion_options.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/simulation_report.hpp"
#include "dynamics/friction_stage.hpp"
#include "model/given_values.hpp"
#include "motion/file/trajectory_file.hpp"
#include "motion/named_motions.hpp"
#include "parid/controllers.hpp"
#include "simulation/integrator.hpp"

namespace parid::cli {
namespace simulate_command {
namespace {

struct Options {
  TorqueOptions robot;  // options of the robot: its name, payload, gravity, floating
  SimulationOptions simulation;
  std::optional<double> time, step;
  std::optional<std::string> from, velocity, torque, controller, motion, kp, kd, output, plot;
  std::string plot_style;
  std::string hold = "linear", limits = "position";
  double control_rate = 1000;
  std::string measure = "motor";
  bool compensate = false, json = false;
};

template <class T>
T one_of(const char* option, const std::string& word,
         std::initializer_list<std::pair<const char*, T>> known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) {
    if (word == name) return value;
    names.push_back(name);
  }
  throw Error(fmt::format("{}: unknown value '{}'; {}choose from {}", option, word,
                          did_you_mean(word, names), fmt::join(names, ", ")));
}

void check_options(Options& o, const CLI::App& c) {
  integrator(o.simulation.integrator);  // or an Error
  if (o.plot) check_plot_path("--plot", *o.plot);
  if (o.output) check_trajectory_path(*o.output);
  if (o.json && o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
  if (!(o.control_rate > 0))
    throw Error(
        fmt::format("--control-rate: {:g} is out of range; give samples per second, such as 1000",
                    o.control_rate));
  if (o.step && integrator(o.simulation.integrator).adaptive)
    throw Error(fmt::format(
        "--step: {} chooses its own steps; use --tolerance, or a fixed-step integrator such as rk4",
        o.simulation.integrator));
  if (!integrator(o.simulation.integrator).adaptive)
    refuse(c, {"--tolerance"},
           fmt::format("{} has fixed steps; use --step, or an adaptive integrator such as dopri5",
                       o.simulation.integrator));
  o.simulation.step = o.step.value_or(o.simulation.step);
  if (!o.controller || *o.controller == "none")
    refuse(c, {"--motion", "--kp", "--kd", "--control-rate", "--compensate"},
           "it requires --controller");
  if (!o.controller || *o.controller == "none")
    refuse(c, {"--measure"}, "it is for a controller's measurements; it requires --controller");
  if (o.simulation.elastic)
    refuse(c, {"--full-rotors"},
           "the model of elastic joints has no gyroscopic torques of rotors; omit one of both");
  o.simulation.measure_links = o.measure == "link";
  o.simulation.stop_at = one_of<StopAt>("--limits", o.limits,
                                        {{"position", StopAt::position},
                                         {"all", StopAt::position_or_velocity},
                                         {"none", StopAt::nothing}});
  one_of<Hold>("--hold", o.hold, {{"linear", Hold::linear}, {"zero", Hold::zero_order}});
}

std::vector<double> asked_numbers(const char* option, const std::optional<std::string>& text,
                                  std::vector<double> otherwise,
                                  const std::vector<std::string>& names) {
  if (!text) return otherwise;
  std::vector<double> x = numbers(option, *text);
  if (x.size() != names.size())
    throw Error(fmt::format("{}: {} number{} given; this robot needs {}: {}", option, x.size(),
                            x.size() == 1 ? "" : "s", names.size(), fmt::join(names, ", ")));
  return x;
}

// A motion of the list, or a file.
SampledTrajectory asked_reference(const Options& o, const Robot& robot) {
  MotionOptions m;
  const auto named = named_motions();
  const bool is_named =
      o.motion && std::any_of(named.begin(), named.end(),
                              [&](const NamedMotion& n) { return n.is(*o.motion); });
  if (is_named) {
    m.name = o.motion;
    m.rate = o.control_rate;
  }
  if (!is_named) m.file = o.motion;
  return asked_motion(robot, m);
}

// The torques, and the initial state and duration of the simulation.
struct Task {
  std::unique_ptr<TorqueSource> source = no_torque();
  std::vector<double> q, v;
  double time = 10;
};

Task asked_task(const Options& o, const Robot& robot) {
  Task task;
  task.q = robot.neutral();
  task.v.resize(static_cast<std::size_t>(robot.nv()));
  if (o.torque) {
    TorqueSamples samples = read_torques(robot, *o.torque);
    if (samples.t.back() > 0) task.time = samples.t.back();
    task.source = open_loop(std::move(samples), o.hold == "zero" ? Hold::zero_order : Hold::linear);
  }
  if (o.controller && *o.controller != "none") {
    const SampledTrajectory motion = asked_reference(o, robot);
    Gains gains;
    if (o.kp) gains.kp = numbers("--kp", *o.kp);
    if (o.kd) gains.kd = numbers("--kd", *o.kd);
    task.source = sampled_control(
        robot, controller(*o.controller, robot, motion, gains, o.compensate ? &robot : nullptr),
        o.control_rate);
    task.time = motion.t.back() > 0 ? motion.t.back() : task.time;
    std::copy_n(motion.q.begin(), task.q.size(), task.q.begin());
    std::copy_n(motion.v.begin(), task.v.size(), task.v.begin());
  }
  if (std::error_code none; o.from && std::filesystem::is_regular_file(*o.from, none)) {
    const SampledTrajectory start = read_trajectory(robot, *o.from, {.warn = say_note});
    std::copy_n(start.q.begin(), task.q.size(), task.q.begin());
    std::copy_n(start.v.begin(), task.v.size(), task.v.begin());
  } else {
    task.q = asked_numbers("--from", o.from, task.q, robot.position_names());
  }
  if (o.torque && !o.from)
    note(
        "{}: note: a torque file has no start position; starting at {} (set another with --from, "
        "for example the motion's file)",
        *o.torque, fmt::join(task.q, ","));
  task.v = asked_numbers("--velocity", o.velocity, task.v, robot.velocity_names());
  task.time = o.time.value_or(task.time);
  return task;
}

int run(Options& o, const CLI::App& c) {
  check_options(o, c);
  const Robot robot = asked_robot(o.robot);
  require_moving_links(robot, 5000, "a simulation");
  if (o.compensate && FrictionStage<double>(robot.canonical()).nothing())
    throw Error(
        fmt::format("--compensate: '{}' has no friction, bearings or drives to compensate; omit it",
                    robot.name()));
  if (o.simulation.elastic)
    require_elastic(robot);
  else
    note_rigid(robot);
  const Task task = asked_task(o, robot);
  SimulationResult result;
  {
    Progress progress("simulating");
    auto options = o.simulation;
    options.time = task.time;
    options.progress = [&](double share) { progress.at(share); };
    Simulation simulation(robot, options);
    simulation.set_state(task.q, task.v);
    result = simulation.run(*task.source);
  }
  if (o.json) {
    Json object{{"schema", "parid.simulate/1"},
                {"robot", robot.name()},
                {"integrator", o.simulation.integrator},
                {"controller", o.controller ? Json(*o.controller) : Json(nullptr)},
                {"friction", o.simulation.friction},
                {"elastic", o.simulation.elastic},
                {"compensate", o.compensate}};
    object.update(json_of(robot, result));
    print(object);
  }
  if (!o.json || o.output) write_simulation(robot, result, o.output.value_or("-"));
  if (o.plot) plot(simulation_figure(robot, result), *o.plot, o.plot_style);
  if (!o.json && !quiet()) write_notes(said(result));
  return result.end == SimulationEnd::finished ? 0 : 1;
}

template <class List>
std::string names_of(const List& list) {
  std::string text;
  for (const auto& entry : list) text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.id);
  return text;
}

void add_motion_part(Options& o, CLI::App& c) {
  CLI::Option* torque = c.add_option("--torque", o.torque,
                                     "torques from a file (open loop): CSV t,tau:JOINT… (or "
                                     "tau1…), or .npz or .h5 with t, tau")
                            ->option_text("FILE");
  c.add_option("--hold", o.hold,
               "interpolation of the torques: linear (default) or zero (zero-order hold)")
      ->needs(torque)
      ->option_text("HOW");
  c.add_option("--controller", o.controller,
               fmt::format("{}, or none (default)", names_of(controllers())))
      ->excludes(torque)
      ->option_text("NAME");
  c.add_option("--motion", o.motion,
               "motion for the controller: a name or a file, as in `parid torque`")
      ->option_text("NAME|FILE");
  c.add_option("--control-rate", o.control_rate,
               "samples per second of the controller; torques are held in between (default: 1000)")
      ->option_text("HZ");
  c.add_option("--kp", o.kp,
               "position gains by joint, or one for all (default: a bandwidth of 20 rad/s)")
      ->option_text("K,...");
  c.add_option("--kd", o.kd, "velocity gains, likewise")->option_text("K,...");
  c.add_flag("--compensate", o.compensate,
             "add the modelled friction at the desired velocity to the controller's torques");
}

}  // namespace
}  // namespace simulate_command

void add_simulate(CLI::App& app, Action& action) {
  using namespace simulate_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("simulate", "Simulate a robot under torques or a controller");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  c->add_option("--from", o.from,
                "start positions, or a trajectory file whose first sample is used (default: the "
                "start of the motion, or zero within the limits)")
      ->option_text("Q,...|FILE");
  c->add_option("--velocity", o.velocity, "start velocities (default: the motion's, or zero)")
      ->option_text("V,...");
  add_motion_part(o, *c);
  c->add_option("--time", o.time,
                "duration in seconds (default: that of the torques or the motion; else 10)")
      ->option_text("S");
  c->add_option("--rate", o.simulation.rate, "samples per second in the output (default: 100)")
      ->option_text("HZ");
  std::string methods;
  for (const IntegratorEntry& e : integrators())
    methods += fmt::format("{}{}: {}", methods.empty() ? "" : ". ", e.id, in_flags(e.what));
  c->add_option("--integrator", o.simulation.integrator, methods)->option_text("NAME");
  c->add_option("--step", o.step, "step of fixed-step integrators (default: 1e-3 s)")
      ->option_text("S");
  c->add_option("--tolerance", o.simulation.tolerance,
                "error per step, rad or m, of adaptive integrators (default: 1e-10)")
      ->option_text("X");
  c->add_option("--payload", o.robot.payload, "attach a body to a link, as in `parid torque`")
      ->option_text("[LINK:]MASS...");
  c->add_option("--gravity", o.robot.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_flag("--friction", o.simulation.friction,
              "include friction of bearings and drives, with stick-slip");
  add_elastic(*c, o.simulation.elastic, o.measure);
  c->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  c->add_option("--limits", o.limits,
                "limits that end the simulation: position (default), all (velocity too), none")
      ->option_text("WHICH");
  c->add_option(
       "-o,--output", o.output,
       "write t, q, v, a and tau to .csv, .npz, .h5 or .npy (default: CSV to standard output)")
      ->option_text("FILE");
  c->add_option(
       "--plot", o.plot,
       "plot positions, velocities, torques and energies to .pdf, .svg or .png (needs gnuplot)")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  add_robot_changes(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  add_rotors(*c, o.robot);
  add_force(*c, o.robot);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "The reason for the end, the energy balance and the number of steps are printed to standard "
      "error. Exit code 1: the simulation ended early, at a limit or by divergence; the samples up "
      "to there are written.\nExamples:  parid simulate planar2 --from 0.5,0 --time 5 --limits "
      "none -o swing.csv\n           parid motion puma560 -o motion.csv && parid torque puma560 "
      "motion.csv -o torques.csv\n           parid simulate puma560 --torque torques.csv --from "
      "motion.csv\n           parid simulate puma560 --controller computed_torque --friction "
      "--plot run.svg");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
