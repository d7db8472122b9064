// parid motion: samples a motion and writes or plots it.

#include <fmt/format.h>

#include <memory>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/input/motion_options.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/output/documents.hpp"
#include "cli/summary/motion_report.hpp"
#include "model/joint/coordinates.hpp"
#include "motion/file/trajectory_file.hpp"
#include "parid/robot.hpp"

namespace parid::cli {
namespace motion_command {
namespace {

struct Options {
  RobotOptions robot;
  MotionOptions motion;
  SamplingOptions sampling;
  std::optional<std::string> output, picture;
  std::string plot_style;
  bool json = false;
};

Json rows_of(const std::vector<double>& x, std::size_t rows, std::size_t width) {
  Json all = Json::array();
  for (std::size_t r = 0; r < rows; ++r)
    all.push_back(std::vector<double>(x.begin() + static_cast<long>(r * width),
                                      x.begin() + static_cast<long>((r + 1) * width)));
  return all;
}

// The column of q whose rate a velocity coordinate is; -1 for part of a quaternion.
std::vector<int> position_columns(const Robot& robot) {
  std::vector<int> all;
  int p = 0;
  for (const JointDescription& j : robot.description().joints) {
    const bool plain = position_count(j) == velocity_count(j);
    for (int k = 0; k < velocity_count(j); ++k) all.push_back(plain ? p + k : -1);
    p += position_count(j);
  }
  return all;
}

void print_summary(const Robot& robot, const SampledTrajectory& m, const std::vector<double>& tau,
                   const std::optional<SamplingAdvice>& advice, const SamplingOptions& sampling) {
  const std::size_t nv = robot.nv();
  const std::string lasts = m.t.empty() ? "" : fmt::format(", {:.6g} s", m.t.back() - m.t.front());
  fmt::print("{}: {} samples{}\n\n", robot.name(), m.rows, lasts);
  fmt::print("{:<18} {:>18} {:>18}  {:>9} {:>8}  {:>9} {:>8}\n", "joint", "position", "limits",
             "speed", "of limit", "torque", "of limit");
  auto range = [](double low, double high) {
    return std::isfinite(low) || std::isfinite(high) ? fmt::format("{:.4g} … {:.4g}", low, high)
                                                     : std::string("–");
  };
  const std::size_t nq = robot.nq();
  const std::vector<int> columns = position_columns(robot);
  auto share = [](double x, double limit) {
    return std::isfinite(limit) && limit > 0 ? fmt::format("{:.0f} %", 100 * x / limit)
                                             : std::string("–");
  };
  for (std::size_t k = 0; k < nv; ++k) {
    double v = 0, f = 0, low = Limits::none, high = -Limits::none;
    for (std::size_t r = 0; r < m.rows && columns[k] >= 0; ++r) {
      low = std::min(low, m.q[r * nq + columns[k]]);
      high = std::max(high, m.q[r * nq + columns[k]]);
    }
    for (std::size_t r = 0; r < m.rows; ++r) {
      v = std::max(v, std::abs(m.v[r * nv + k]));
      f = std::max(f, std::abs(tau[r * nv + k]));
    }
    const Robot::Limit& limit = robot.limits()[k];
    fmt::print("{:<18} {:>18} {:>18}  {:>9.5g} {:>8}  {:>9.5g} {:>8}\n", robot.velocity_names()[k],
               range(low, high), range(limit.lower, limit.upper), v, share(v, limit.velocity), f,
               share(f, limit.effort));
  }
  if (advice) fmt::print("\n{}", said(*advice, sampling));
}

int run(const Options& o) {
  if (is_help(o.motion)) return print_named_motions(), 0;
  check_motion_options(o.motion);
  if (o.output) check_trajectory_path(*o.output);
  if (o.picture) check_plot_path("--plot", *o.picture);
  if (o.json && o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
  check_sampling_options(o.sampling);
  const Robot robot = load_robot(o.robot);
  const TorquesAlong torques = torques_along(robot, {}, 0);
  SampledTrajectory m = asked_motion(robot, o.motion);
  const auto scaling = asked_pace(robot, o.motion, m, torques);
  const std::vector<double> tau = torques(m);
  const std::vector<LimitBreak> broken = broken_limits(robot, m, tau);
  const auto advice = sampling_advice(robot, m, torques, o.sampling);
  if (o.json)
    print({{"schema", "parid.motion/1"},
           {"robot", robot.name()},
           {"samples", m.rows},
           {"positions", robot.position_names()},
           {"velocities", robot.velocity_names()},
           {"limits_broken", json_of(broken)},
           {"time_scaling", json_of(o.motion, scaling)},
           {"sampling", json_of(advice, o.sampling)},
           {"t", m.t.empty() ? Json(nullptr) : Json(m.t)},
           {"q", rows_of(m.q, m.rows, robot.nq())},
           {"v", rows_of(m.v, m.rows, robot.nv())},
           {"a", rows_of(m.a, m.rows, robot.nv())}});
  if (!o.json || o.output) write_trajectory(robot, m, o.output.value_or("-"));
  if (o.picture) plot(motion_figure(robot, m, nullptr), *o.picture, o.plot_style);
  if (!o.json && o.output && *o.output != "-") print_summary(robot, m, tau, advice, o.sampling);
  note(broken, robot, m, o.motion);
  return 0;
}

}  // namespace
}  // namespace motion_command

void add_motion(CLI::App& app, Action& action) {
  using namespace motion_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "motion", "Sample a motion, check its limits and recommend a sampling rate");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_robot_changes(*c, o.robot);
  add_no_rotors(*c, o.robot);
  add_motion_options(*c, o.motion);
  c->add_option("-o,--output", o.output,
                "write samples to .csv, .npy, .npz or .h5 and print a summary (default: CSV to "
                "standard output)")
      ->option_text("FILE");
  c->add_option("--plot", o.picture,
                "plot positions, velocities and accelerations to .pdf, .svg or .png")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_option("--stiffness", o.sampling.stiffness,
                "stiffness of every joint, N m/rad or N/m, for the recommended sampling rate")
      ->option_text("K");
  c->add_option("--full-torque-at", o.sampling.full_torque_at,
                "without --stiffness: the error, rad or m, at which a motor reaches its full "
                "torque (default: 0.05)")
      ->option_text("E");
  c->add_flag("--floating", o.robot.floating, "give the robot a floating base");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Torques in the summary include rigid bodies and rotor inertia, without friction. Exceeded "
      "limits are reported on standard error.\nExamples:  parid motion puma560-positioning "
      "--motion dhanaraj -o line.csv\n           parid motion ur5 pick.toml --rate 500 -o "
      "pick.npz\n           parid motion panda --within-limits optimal --plot fast.svg -o "
      "fast.csv");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
