// parid motion: a motion, sampled, so that it can be looked at and used elsewhere.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/input/motion_options.hpp"
#include "cli/input/torques_along.hpp"
#include "cli/output/json.hpp"
#include "cli/summary/broken_limits.hpp"
#include "cli/summary/motion_figure.hpp"
#include "cli/summary/sampling.hpp"
#include "model/joint/coordinates.hpp"
#include "motion/file/trajectory_file.hpp"
#include "parid/robot.hpp"

namespace parid::cli {
namespace {

std::string what;
MotionOptions asked;
SamplingOptions sampling;
std::optional<std::string> output, picture;
bool json = false, floating = false;

Json rows_of(const std::vector<double>& x, std::size_t rows, std::size_t width) {
  Json all = Json::array();
  for (std::size_t r = 0; r < rows; ++r)
    all.push_back(std::vector<double>(x.begin() + static_cast<long>(r * width),
                                      x.begin() + static_cast<long>((r + 1) * width)));
  return all;
}

// The column of q that a velocity coordinate is the rate of; -1 where that is part of a quaternion.
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
                   const std::optional<SamplingAdvice>& advice) {
  const std::size_t nv = robot.nv();
  const std::string lasts = m.t.empty() ? "" : fmt::format(", {:.6g} s", m.t.back() - m.t.front());
  fmt::print("{}: {} samples{}\n\n", robot.name(), m.rows, lasts);
  fmt::print("{:<18} {:>18} {:>18}  {:>9} {:>8}  {:>9} {:>8}\n", "range and greatest", "position",
             "limits", "speed", "of limit", "torque", "of limit");
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
    for (std::size_t r = 0; r < m.rows && columns[k] >= 0; ++r)
      low = std::min(low, m.q[r * nq + columns[k]]),
      high = std::max(high, m.q[r * nq + columns[k]]);
    for (std::size_t r = 0; r < m.rows; ++r)
      v = std::max(v, std::abs(m.v[r * nv + k])), f = std::max(f, std::abs(tau[r * nv + k]));
    const Robot::Limit& limit = robot.limits()[k];
    fmt::print("{:<18} {:>18} {:>18}  {:>9.5g} {:>8}  {:>9.5g} {:>8}\n", robot.velocity_names()[k],
               range(low, high), range(limit.lower, limit.upper), v, share(v, limit.velocity), f,
               share(f, limit.effort));
  }
  if (advice) fmt::print("\n{}", said(*advice, sampling));
}

int run() {
  if (is_help(asked)) return print_named_motions(), 0;
  check_motion_options(asked);
  if (output) check_trajectory_path(*output);
  if (picture) check_plot_path("--plot", *picture);
  if (json && output == "-")
    throw Error("--output: standard output is taken by --json; give a file, or leave --json out");
  check_sampling_options(sampling);
  const Robot robot = Robot::load(what, {floating});
  const TorquesAlong torques = torques_along(robot, {}, 0);
  SampledTrajectory m = asked_motion(robot, asked);
  const auto scaling = asked_pace(robot, asked, m, torques);
  const std::vector<double> tau = torques(m);
  const std::vector<LimitBreak> broken = broken_limits(robot, m, tau);
  const auto advice = sampling_advice(robot, m, torques, sampling);
  if (json)
    print({{"schema", "parid.motion/1"},
           {"robot", robot.name()},
           {"samples", m.rows},
           {"positions", robot.position_names()},
           {"velocities", robot.velocity_names()},
           {"limits_broken", json_of(broken)},
           {"time_scaling", json_of(asked, scaling)},
           {"sampling", json_of(advice, sampling)},
           {"t", m.t.empty() ? Json(nullptr) : Json(m.t)},
           {"q", rows_of(m.q, m.rows, robot.nq())},
           {"v", rows_of(m.v, m.rows, robot.nv())},
           {"a", rows_of(m.a, m.rows, robot.nv())}});
  if (!json || output) write_trajectory(robot, m, output.value_or("-"));
  if (picture) plot(motion_figure(robot, m, nullptr), *picture);
  if (!json && output && *output != "-") print_summary(robot, m, tau, advice);
  note(broken, m, asked);
  return 0;
}

}  // namespace

void add_motion(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("motion", "a motion, sampled, and how often to sample it");
  c->add_option("ROBOT", what, robot_help)->required();
  add_motion_options(*c, asked);
  c->add_option("-o,--output", output,
                "where samples go: .csv, .npy, .npz or .h5 (default: CSV to standard output); then "
                "a summary "
                "is printed")
      ->option_text("FILE");
  c->add_option("--plot", picture,
                "positions, velocities and accelerations as a picture: .svg or .png")
      ->option_text("FILE");
  c->add_option("--stiffness", sampling.stiffness,
                "of every joint, N m/rad or N/m, for the advice on the sampling rate")
      ->option_text("K");
  c->add_option("--full-torque-at", sampling.full_torque_at,
                "without --stiffness: the error, rad or m, at which a motor gives its full torque "
                "(default: 0.05)")
      ->option_text("E");
  c->add_flag("--floating", floating, "hang the root link on a floating joint named after it");
  c->add_flag("--json", json, "one JSON object on standard output");
  c->footer(
      "Torques behind limits and advice are rigid body plus rotor inertia, without friction. "
      "Limits that "
      "the motion breaks are noted on standard error.\n"
      "Examples:  parid motion puma560-positioning --motion thesis -o line.csv\n"
      "           parid motion ur5 pick.toml --rate 500 -o pick.npz\n"
      "           parid motion panda --within-limits optimal --plot fast.svg -o fast.csv");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli
