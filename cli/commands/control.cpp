// parid control: a robot under a sampled controller with or without stale data.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/input/control_options.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/fault_report.hpp"
#include "cli/summary/simulation_report.hpp"
#include "control/loop.hpp"
#include "control/open_loop.hpp"
#include "control/stability/stability.hpp"
#include "control/threads.hpp"
#include "model/given_values.hpp"
#include "motion/file/trajectory_file.hpp"
#include "simulation/integrator.hpp"

namespace parid::cli {
namespace control_command {
namespace {

struct Options {
  ControlLawOptions law;
  ControlOptions control;
  std::string policy = "exact", quantity = "torque";
  std::optional<std::string> motion, pose, offset, noise, output, plot;
  std::string plot_style;
  std::optional<int> threads;
  FaultStudyOptions study;
  bool open_loop = false, json = false;
};

constexpr double usual_time = 10;  // s, for motions without an end

// Refuses options that have no effect in a run of this kind.
void check_effects(const Options& o, const CLI::App& c, const Policy& policy) {
  try {
    stale_quantity(o.quantity);
  } catch (const Error& e) {
    throw Error(fmt::format("--quantity: {}", e.what()));
  }
  if (!o.open_loop)
    refuse(c, {"--quantity"}, "a loop computes torques; --quantity requires --open-loop");
  if (o.open_loop)
    refuse(c, {"--threads",    "--output",    "--plot",          "--offset",
               "--noise",      "--switch",    "--limit-torques", "--friction",
               "--compensate", "--lost",      "--integrator",    "--step",
               "--tolerance",  "--record",    "--law",           "--gains",
               "--kp",         "--kd",        "--payload",       "--fault",
               "--observer",   "--threshold", "--margin",        "--residuals"},
           "--open-loop compares torques along the desired motion: no robot moves and no error is "
           "corrected; omit one of the two");
  if (o.open_loop || o.threads || o.study.asked())
    refuse(c, {"--elastic"},
           "elastic joints are simulated in loops without --threads, --fault and --open-loop; omit "
           "one of the two");
  if (o.threads)
    refuse(c,
           {"--output", "--plot", "--switch", "--friction", "--compensate", "--integrator",
            "--step", "--tolerance", "--record", "--fault", "--observer", "--threshold", "--margin",
            "--residuals"},
           "--threads runs in real time: the policy holds from the start, the robot has no "
           "friction and moves by fixed steps, and nothing is recorded; omit one of the two");
  if (o.threads ? !o.noise : !o.noise && !policy.by_chance)
    refuse(c, {"--seed"},
           o.threads ? "with --threads, staleness depends on the host, and the seed is for "
                       "--noise; give --noise too"
                     : "the seed is for --noise and for random policies, such as vuskovic; give "
                       "one of them too");
  const bool endless = o.pose || (o.motion && o.motion->starts_with("sine:"));
  if (o.open_loop && !endless)
    refuse(c, {"--time"},
           "--open-loop uses the whole motion; --time is for unlimited motions, such as sine:");
  if (!o.output && !o.plot)
    refuse(c, {"--record"}, "it sets the samples that are written; give --output or --plot too");
  check_study(o.study, c);
  const IntegratorEntry& method = integrator(o.control.integrator);
  if (method.adaptive)
    refuse(c, {"--step"},
           fmt::format(
               "{} chooses its own steps; use --tolerance, or a fixed-step integrator such as rk4",
               method.id));
  else
    refuse(c, {"--tolerance"},
           fmt::format("{} has fixed steps; use --step, or an adaptive integrator such as dopri5",
                       method.id));
  if (law_kind(o.law.law) == LawKind::pd && policy.delay == 0)
    refuse(c, {"--policy"},
           "pd computes no dynamics, so no data can be stale; choose another --law, or a delay "
           "such as delayed:1");
}

void check_options(Options& o) {
  integrator(o.control.integrator);  // or an Error
  law_kind(o.law.law);
  if (o.plot) check_plot_path("--plot", *o.plot);
  if (o.output) check_trajectory_path(*o.output);
  if (o.json && o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
  if (!(o.control.rate > 0) || !std::isfinite(o.control.rate))
    throw Error(
        fmt::format("--rate: {:g} is out of range; give control periods per second, such as 1000",
                    o.control.rate));
  if (o.noise) {
    const std::vector<double> x = numbers("--noise", *o.noise);
    if (x.empty() || x.size() > 2)
      throw Error(
          "--noise: give the standard deviation of positions, and optionally of velocities, such "
          "as 1e-4,1e-2");
    o.control.position_noise = x[0];
    o.control.velocity_noise = x.size() > 1 ? x[1] : 0;
  }
  if (o.threads && *o.threads < 0)
    throw Error("--threads: give the number of threads, or 0 for one per core");
}

Json header(const Options& o, const Robot& robot, const LawDesign& d) {
  Json head{{"schema", "parid.control/1"},
            {"robot", robot.name()},
            {"law", d.law},
            {"policy", d.policy.id},
            {"period", 1 / o.control.rate},
            {"kp", d.gains.kp},
            {"kd", d.gains.kd}};
  if (d.elastic) head["measured"] = d.measure_links ? "link" : "motor";
  return head;
}

int on_threads(const Options& o, const Robot& plant, const LawDesign& d,
               const Trajectory& trajectory) {
  ThreadOptions t;
  t.threads = *o.threads;
  t.rate = o.control.rate;
  t.lost = o.control.lost;
  t.time = o.control.time;
  t.position_noise = o.control.position_noise;
  t.velocity_noise = o.control.velocity_noise;
  t.seed = o.control.seed;
  t.limit_torques = o.control.limit_torques;
  t.start_offset = o.control.start_offset;
  const ThreadReport r = run_on_threads(plant, d, trajectory, t);
  if (o.json) {
    Json object = header(o, plant, d);
    object.update({{"max_error", r.max_error},
                   {"final_error", r.final_error},
                   {"diverged_at",
                    r.diverged ? Json(static_cast<double>(r.periods) / t.rate) : Json(nullptr)},
                   {"threads", r.threads},
                   {"periods", r.periods},
                   {"missed", r.missed},
                   {"late_starts", r.late_starts},
                   {"older_reads", r.older_reads},
                   {"limited", r.limited},
                   {"mean_step", r.mean_step},
                   {"longest_step", r.longest_step}});
    print(object);
  } else {
    fmt::print("policy          {}\nthreads         {}\nperiods         {} of {}\n", d.policy.id,
               r.threads, r.periods, human_time(1 / t.rate));
    fmt::print(
        "missed          {} deadlines ({:.3g} %); {} periods started after their own deadline\n",
        r.missed,
        100.0 * static_cast<double>(r.missed) / static_cast<double>(std::max(1L, r.periods)),
        r.late_starts);
    fmt::print("older reads     {}: neighbours' values older than the policy allows\n",
               r.older_reads);
    fmt::print("step            mean {}, longest {} (of the busiest thread)\n",
               human_time(r.mean_step), human_time(r.longest_step));
    fmt::print("largest error   {:.4g}, final {:.4g}{}\n", r.max_error, r.final_error,
               r.diverged ? ": diverged" : "");
    if (t.limit_torques) fmt::print("torque limits reached in {} periods\n", r.limited);
  }
  return r.diverged ? 1 : 0;
}

// The mass matrix, or joint-by-joint inverse kinematics, along the motion itself.
int in_open_loop_of(const Options& o, const Robot& plant, const LawDesign& d,
                    const Trajectory& trajectory) {
  const StaleQuantity which = stale_quantity(o.quantity);
  const IkErrors found =
      stale_quantity_errors(which, d.model, d.policy, trajectory, 1 / o.control.rate);
  const TorqueErrors& e = found.positions;
  std::optional<double> tip;
  if (which == StaleQuantity::ik) tip = found.tip;
  const bool mass = which == StaleQuantity::mass;
  if (o.json) {
    Json object = header(o, plant, d);
    object.erase("law");
    object.erase("kp");
    object.erase("kd");
    object.update({{"quantity", o.quantity},
                   {"coordinates", mass ? plant.velocity_names() : plant.position_names()},
                   {"error", e.largest},
                   {"error_rms", e.rms},
                   {"scale", e.scale},
                   {"tip_error", tip ? Json(*tip) : Json(nullptr)}});
    print(object);
    return 0;
  }
  fmt::print("{:<16} {:>13} {:>12} {:>12} {:>9}\n", mass ? "row" : "position", "largest error",
             "rms", mass ? "largest" : "motion", "relative");
  const std::vector<std::string>& names = mass ? plant.velocity_names() : plant.position_names();
  for (std::size_t k = 0; k < e.largest.size(); ++k)
    fmt::print("{:<16} {:>13.4g} {:>12.4g} {:>12.4g} {:>8.3f}%\n", names[k], e.largest[k], e.rms[k],
               e.scale[k], 100 * e.largest[k] / std::max(e.scale[k], 1e-300));
  if (tip) fmt::print("tip at most {:.4g} m from its path\n", *tip);
  return 0;
}

// Torques along the motion itself, as if nothing were ever off it.
int in_open_loop(const Options& o, const Robot& plant, const LawDesign& d,
                 const Trajectory& trajectory) {
  if (stale_quantity(o.quantity) != StaleQuantity::torque)
    return in_open_loop_of(o, plant, d, trajectory);
  const TorqueErrors e = open_loop_errors(d.model, d.policy, trajectory, 1 / o.control.rate);
  if (o.json) {
    Json object = header(o, plant, d);
    object.update({{"coordinates", plant.velocity_names()},
                   {"torque_error", e.largest},
                   {"torque_error_rms", e.rms},
                   {"torque_scale", e.scale}});
    print(object);
    return 0;
  }
  fmt::print("{:<16} {:>12} {:>12} {:>12} {:>9}\n", "torque", "largest error", "rms", "largest",
             "relative");
  for (std::size_t k = 0; k < e.largest.size(); ++k)
    fmt::print("{:<16} {:>12.4g} {:>12.4g} {:>12.4g} {:>8.3f}%\n", plant.velocity_names()[k],
               e.largest[k], e.rms[k], e.scale[k],
               100 * e.largest[k] / std::max(e.scale[k], 1e-300));
  return 0;
}

// Desired and actual positions, and errors.
Figure figure_of(const Robot& robot, const Policy& policy, const Trajectory& trajectory,
                 const ControlResult& r) {
  const SampledTrajectory& m = r.simulation.motion;
  const auto n = static_cast<std::size_t>(robot.nv());
  Figure figure;
  figure.title =
      fmt::format("{}: {}, period {:.4g} ms{}", robot.name(), policy.id, r.period * 1e3,
                  r.diverged_at ? fmt::format(", diverged at {:.3g} s", *r.diverged_at) : "");
  figure.x = m.t;
  std::vector<double> q(n), v(n), a(n);
  std::vector<Curve> actual(n), desired(n), error(n), torque(n);
  for (std::size_t k = 0; k < n; ++k)
    for (auto* all : {&actual, &desired, &error, &torque}) {
      (*all)[k].name = robot.position_names()[k];
      (*all)[k].style = static_cast<int>(k);
    }
  for (std::size_t i = 0; i < m.rows; ++i) {
    trajectory.at(std::clamp(m.t[i], 0.0, trajectory.duration()), q, v, a);
    for (std::size_t k = 0; k < n; ++k) {
      desired[k].y.push_back(q[k]);
      actual[k].y.push_back(m.q[i * n + k]);
      error[k].y.push_back(1e3 * (q[k] - m.q[i * n + k]));
      torque[k].y.push_back(r.simulation.tau[i * n + k]);
    }
  }
  auto add = [&](const char* what, const char* unit, std::vector<Curve>& curves) {
    Panel panel{what, unit, std::move(curves)};
    for (Panel& part : split(std::move(panel))) figure.panels.push_back(std::move(part));
  };
  add("desired", "rad, m", desired);
  add("actual", "rad, m", actual);
  add("error", "mrad, mm", error);
  add("torque", "N m, N", torque);
  return figure;
}

void say(const Options& o, const Robot& robot, const LawDesign& d, const ControlResult& r) {
  fmt::print("policy         {}\nperiod         {}, {} periods\n", d.policy.id,
             human_time(r.period), r.periods);
  fmt::print("largest error  {:.4g}", r.max_error);
  if (o.control.switch_at > 0) fmt::print(", after the switch {:.4g}", r.max_error_after_switch);
  fmt::print("\nfinal error    {:.4g} in the last tenth of the time\nrms error      {:.4g}\n",
             r.final_error, r.rms_error);
  std::string by;
  for (std::size_t k = 0; k < r.max_error_by_coordinate.size(); ++k)
    by += fmt::format("{}{} {:.3g}", k == 0 ? "" : ", ", robot.position_names()[k],
                      r.max_error_by_coordinate[k]);
  fmt::print("by joint       {}\n", by);
  if (o.control.limit_torques) fmt::print("torque limits reached in {} periods\n", r.limited);
  if (r.diverged_at) fmt::print("diverged at {:.4g} s: {}\n", *r.diverged_at, r.simulation.why);
}

int run(Options& o, const CLI::App& c) {
  check_options(o);
  Policy asked = policy(o.policy);
  asked.seed = o.control.seed;
  check_effects(o, c, asked);
  const auto [plant, model] = asked_robots(o.law);
  require_moving_links(plant, 5000, "a simulation");
  const double time = o.control.time > 0 ? o.control.time : usual_time;
  const TrajectoryPointer trajectory = o.pose ? standing(asked_pose(plant, "--pose", *o.pose), time)
                                              : asked_trajectory(plant, o.motion, time);
  std::vector<double> q(static_cast<std::size_t>(plant.nq())), v(q.size()), a(q.size());
  trajectory->at(0, q, v, a);
  const LawDesign d = asked_design(o.law, model, asked, q);
  if (o.offset) o.control.start_offset = asked_pose(plant, "--offset", *o.offset);
  if (o.threads) return on_threads(o, plant, d, *trajectory);
  if (o.open_loop) return in_open_loop(o, plant, d, *trajectory);
  if (o.study.asked()) {
    const Json head = header(o, plant, d);
    const FaultStudy found = fault_study(o.study, plant, d, trajectory, o.control);
    if (o.json)
      print(json_of(found, plant, head));
    else if (o.output != "-")
      say(found, plant);
    if (o.output) write_simulation(plant, found.rows.front().found.control.simulation, *o.output);
    if (o.plot) plot(residual_figure(found, plant), *o.plot, o.plot_style);
    return found.missed() > 0 ? 1 : 0;
  }
  ControlResult r;
  {
    Progress progress("controlling");
    auto options = o.control;
    options.progress = [&](double share) { progress.at(share); };
    r = ControlLoop(plant, d, trajectory, options).run();
  }
  if (o.json) {
    Json object = header(o, plant, d);
    object.update({{"switch", o.control.switch_at},
                   {"max_error", r.max_error},
                   {"max_error_after_switch", r.max_error_after_switch},
                   {"final_error", r.final_error},
                   {"rms_error", r.rms_error},
                   {"max_error_by_coordinate", r.max_error_by_coordinate},
                   {"diverged_at", r.diverged_at ? Json(*r.diverged_at) : Json(nullptr)},
                   {"periods", r.periods},
                   {"limited", r.limited}});
    print(object);
  } else if (o.output != "-") {
    say(o, plant, d, r);
  }
  if (o.output) write_simulation(plant, r.simulation, *o.output);
  if (o.plot) plot(figure_of(plant, d.policy, *trajectory, r), *o.plot, o.plot_style);
  return r.diverged_at ? 1 : 0;
}

}  // namespace
}  // namespace control_command

void add_control(CLI::App& app, Action& action) {
  using namespace control_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c =
      app.add_subcommand("control", "Simulate a robot under a sampled controller with stale data");
  add_law_options(*c, o.law);
  c->add_option("--policy", o.policy,
                "age of the data that the controller uses (default: exact):" + policy_help())
      ->option_text("NAME");
  c->add_option("--rate", o.control.rate, "control periods per second (default: 1000)")
      ->option_text("HZ");
  CLI::Option* motion =
      c->add_option("--motion", o.motion, trajectory_help)->option_text("NAME|FILE|sine:...");
  c->add_option("--pose", o.pose, "hold this pose instead of following a motion")
      ->excludes(motion)
      ->option_text("Q,...");
  c->add_option("--time", o.control.time,
                "duration in seconds (default: the motion's; 10 for unlimited motions)")
      ->option_text("S");
  c->add_option("--switch", o.control.switch_at, "time from which data may be stale (default: 0)")
      ->option_text("S");
  c->add_option("--offset", o.offset, "initial error of the robot's position")
      ->option_text("Q,...");
  c->add_option("--noise", o.noise, "standard deviations of the measured positions, and velocities")
      ->option_text("Q[,V]");
  c->add_option("--seed", o.control.seed, "seed of the noise and of random policies (default: 1)")
      ->option_text("N");
  c->add_flag("--limit-torques", o.control.limit_torques,
              "limit torques to the effort limits of the robot file");
  c->add_flag("--friction", o.control.friction, "simulate friction in bearings and drives");
  c->add_flag("--compensate", o.control.compensate_friction,
              "add the modelled friction to the controller's torques");
  c->add_option("--lost", o.control.lost, "error that counts as divergence (default: 1 rad or m)")
      ->option_text("X");
  c->add_option("--integrator", o.control.integrator,
                "integrator of the robot, as in `parid simulate`")
      ->option_text("NAME");
  c->add_option("--step", o.control.step,
                "step of fixed-step integrators (default: a tenth of a period)")
      ->option_text("S");
  c->add_option("--tolerance", o.control.tolerance,
                "tolerance of adaptive integrators (default: 1e-9)")
      ->option_text("X");
  c->add_option("--record", o.control.record_rate,
                "samples per second in the output (default: 200)")
      ->option_text("HZ");
  c->add_option("--threads", o.threads,
                "run the links on this many real threads in real time (0: one per core), and count "
                "missed deadlines")
      ->option_text("N");
  add_study(*c, o.study);
  c->add_flag("--open-loop", o.open_loop,
              "simulate no robot; compare torques along the desired motion, joint by joint");
  c->add_option(
       "--quantity", o.quantity,
       "with --open-loop: torque (default); mass: the mass matrix with neighbours' values "
       "as old as n.neighbour; ik: inverse kinematics in closed form, joint by joint, with "
       "positions as old as w.neighbour")
      ->option_text("WHAT");
  c->add_option("-o,--output", o.output,
                "write t, q, v, a and tau to .csv, .npz, .h5 or .npy; '-' is standard output")
      ->option_text("FILE");
  c->add_option("--plot", o.plot,
                "plot positions, errors and torques to .pdf, .svg or .png (needs gnuplot)")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Errors are position errors at the sampling times of the controller. Exit code 1: the error "
      "diverged, or with --fault, a fault was not detected.\nExamples:  parid control planar3 "
      "--policy binder_herzog --rate 333 --gains "
      "100,20 --switch 1.57 --motion sine:0.5,0.8,-0.6 --plot lost.svg\n           parid control "
      "puma560 --policy hamilton --rate 500 --noise 1e-5 --friction --compensate\n           parid "
      "control puma560 --policy hamilton --rate 1000 --threads 2\n           parid control puma560 "
      "--fault loss:joint2=0.3@1 --fault collision:link6=0,0,-20@1+0.1 --observer 50");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
