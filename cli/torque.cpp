// parid torque: the main job. A robot and a motion in, torques out.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/explanation.hpp"
#include "cli/json.hpp"
#include "cli/motion_figure.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "cli/torque_options.hpp"
#include "cli/torques_along.hpp"
#include "parid/io/csv.hpp"
#include "parid/io/npz.hpp"
#include "parid/method/method.hpp"
#include "parid/run/engine.hpp"

namespace parid::cli {
namespace {

TorqueOptions o;

std::string ending(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// What can be said before any work is done.
void check_options() {
  method(o.method);  // or an Error
  check_motion_options(o.motion);
  if (o.plot) check_plot_path("--plot", *o.plot);
  if (!o.output) return;
  if (o.output->empty())
    throw Error(
        "--output: the name of the file is empty; give a path that ends in .csv, .npy or .npz");
  if (o.json && *o.output == "-")
    throw Error("--output: standard output is taken by --json; give a file, or leave --json out");
  if (*o.output == "-" || *o.output == "/dev/stdout" || *o.output == "/dev/full") return;
  for (const char* good : {".csv", ".npy", ".npz"})
    if (ending(*o.output) == good) return;
  throw Error({*o.output, 0}, "the ending of the output file is not known",
              "end it in .csv, .npy or .npz");
}

// "motion.csv:7", or "sample 7" of a motion that is in no file.
std::string place(const Trajectory& m, std::size_t row) {
  return m.place ? m.place(row).text() : fmt::format("sample {}", row + 1);
}

std::vector<double> by_engine(const Robot& robot, const Surroundings& around, const Trajectory& m,
                              Progress& progress) {
  Engine engine(robot, {o.threads});
  engine.set_surroundings(around);
  const std::size_t nq = robot.nq(), nv = robot.nv(), part = 1 << 16;
  std::vector<double> tau(m.rows * nv);
  for (std::size_t r = 0; r < m.rows; r += part) {
    const std::size_t n = std::min(part, m.rows - r);
    engine.inverse_dynamics(
        n, std::span(m.q).subspan(r * nq, n * nq), std::span(m.v).subspan(r * nv, n * nv),
        std::span(m.a).subspan(r * nv, n * nv), std::span(tau).subspan(r * nv, n * nv));
    progress.at(static_cast<double>(r + n) / static_cast<double>(m.rows));
  }
  return tau;
}

// Row after row, for those who want to compare.
std::vector<double> by_method(const Robot& robot, const Surroundings& around, const Trajectory& m,
                              Progress& progress) {
  const std::unique_ptr<Method> chosen = make_method(method(o.method), robot, around);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  std::vector<double> tau(m.rows * nv);
  for (std::size_t r = 0; r < m.rows; ++r) {
    chosen->torque(&m.q[r * nq], &m.v[r * nv], &m.a[r * nv], &tau[r * nv]);
    if (r % 1024 == 0) progress.at(static_cast<double>(r) / static_cast<double>(m.rows));
  }
  return tau;
}

std::vector<double> evaluate(const Robot& robot, const Surroundings& around, const Trajectory& m) {
  Progress progress("torques");
  std::vector<double> tau = o.method == engines_method ? by_engine(robot, around, m, progress)
                                                       : by_method(robot, around, m, progress);
  const std::size_t nv = robot.nv();
  for (std::size_t k = 0; k < tau.size(); ++k)
    if (!std::isfinite(tau[k]))
      throw Error(fmt::format(
          "{}: the torque of '{}' is beyond what a double can hold; the motion, the robot or what "
          "acts on it has numbers that are far too large",
          place(m, k / nv), robot.velocity_names()[k % nv]));
  return tau;
}

void write(const Robot& robot, const Trajectory& m, const std::vector<double>& tau) {
  const std::size_t nv = robot.nv();
  const std::string path = o.output.value_or("-");
  std::vector<double> ordered(tau.size());
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nv; ++k) ordered[r * nv + k] = tau[r * nv + m.torque_order[k]];
  if (ending(path) == ".npy") return write_npy(path, {{m.rows, nv}, ordered});
  if (ending(path) == ".npz") {
    std::map<std::string, Array> arrays{{"tau", {{m.rows, nv}, ordered}}};
    if (!m.t.empty()) arrays["t"] = {{m.rows}, m.t};
    return write_npz(path, arrays);
  }
  std::vector<std::string> columns = m.torque_columns;
  if (!m.t.empty()) columns.insert(columns.begin(), "t");
  CsvWriter csv(path, columns);
  std::vector<double> row(columns.size());
  Progress progress("writing");
  for (std::size_t r = 0; r < m.rows; ++r) {
    if (!m.t.empty()) row[0] = m.t[r];
    std::copy_n(&ordered[r * nv], nv, row.end() - static_cast<std::ptrdiff_t>(nv));
    csv.row(row);
    if (r % 4096 == 0) progress.at(static_cast<double>(r) / static_cast<double>(m.rows));
  }
  csv.commit();
}

void print_json(const Robot& robot, const Trajectory& m, const std::vector<double>& tau,
                const std::vector<LimitBreak>& broken, const std::optional<TimeScaling>& scaling) {
  const std::size_t nv = robot.nv();
  Json rows = Json::array();
  for (std::size_t r = 0; r < m.rows; ++r) {
    Json row = Json::array();
    for (std::size_t k = 0; k < nv; ++k) row.push_back(tau[r * nv + m.torque_order[k]]);
    rows.push_back(std::move(row));
  }
  print({{"schema", "parid.torque/1"},
         {"robot", robot.name()},
         {"method", o.method},
         {"samples", m.rows},
         {"columns", m.torque_columns},
         {"limits_broken", json_of(broken)},
         {"time_scaling", json_of(o.motion, scaling)},
         {"t", m.t.empty() ? Json(nullptr) : Json(m.t)},
         {"tau", rows}});
}

int explain_one(const Robot& robot, const Surroundings& around, const Trajectory& m) {
  // A default motion starts and ends at rest, where little is to be seen: explain one on the way.
  const std::size_t row = o.row > 0 ? o.row - 1 : o.motion.file ? 0 : m.rows / 3;
  if (row >= m.rows)
    throw Error(fmt::format("--row: there is no sample {}; the motion has {}", o.row, m.rows));
  const std::size_t nq = robot.nq(), nv = robot.nv();
  const auto links = explain(robot, around, &m.q[row * nq], &m.v[row * nv], &m.a[row * nv]);
  for (const LinkExplanation& e : links)
    for (const double x : e.torque)
      if (!std::isfinite(x))
        throw Error(fmt::format("{}: the torque of '{}' is beyond what a double can hold",
                                place(m, row), e.joint));
  if (o.json) {
    print({{"schema", "parid.explain/1"},
           {"robot", robot.name()},
           {"sample", row},
           {"t", m.t.empty() ? Json(nullptr) : Json(m.t[row])},
           {"gravity", robot.gravity()},
           {"links", json_of(links)}});
    return 0;
  }
  fmt::print("{}, sample {} of {}{}{}\n", robot.name(), row + 1, m.rows,
             m.place            ? " (" + m.place(row).text() + ")"
             : o.motion.given() ? ""
                                : " of the default motion",
             m.t.empty() ? "" : fmt::format(", t = {:.6g} s", m.t[row]));
  print_links(robot, links);
  return 0;
}

int run() {
  if (is_help(o.motion)) return print_named_motions(), 0;
  check_options();
  const Robot robot = asked_robot(o);
  const Surroundings around = asked_surroundings(o, robot);
  Trajectory motion = asked_motion(robot, o.motion);
  const auto scaling = asked_pace(robot, o.motion, motion, torques_along(robot, around, o.threads));
  if (o.explain) return explain_one(robot, around, motion);
  const std::vector<double> tau = evaluate(robot, around, motion);
  const std::vector<LimitBreak> broken = broken_limits(robot, motion, tau);
  if (o.json) print_json(robot, motion, tau, broken, scaling);
  if (!o.json || o.output) write(robot, motion, tau);
  if (o.plot) plot(motion_figure(robot, motion, &tau), *o.plot);
  for (const LimitBreak& b : broken)
    fmt::print(stderr, "{}: note: {} of '{}' reaches {:.6g}; its limit is {:.6g}\n",
               place(motion, b.row), b.kind, b.coordinate, b.value, b.limit);
  return 0;
}

}  // namespace

void add_torque(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("torque", "joint torques along a motion: the main job");
  c->add_option("ROBOT", o.robot, robot_help)->required();
  add_motion_options(*c, o.motion);
  CLI::Option* output =
      c->add_option("-o,--output", o.output,
                    "where torques go: .csv, .npy or .npz (default: CSV to standard output)")
          ->option_text("FILE");
  CLI::Option* picture =
      c->add_option("--plot", o.plot,
                    "positions, velocities and torques as a picture: .svg or .png (by gnuplot)")
          ->option_text("FILE");
  c->add_option("--method", o.method,
                fmt::format("formulation: {} (default: {})", method_names(), engines_method))
      ->option_text("NAME");
  c->add_option("--gravity", o.gravity, "in m/s², instead of the robot file's")
      ->option_text("X,Y,Z");
  c->add_option("--payload", o.payload,
                "a body on a link (default: the tip), in the link's frame: MASS, or MASS,X,Y,Z, or "
                "those and Ixx,Iyy,Izz,Ixy,Ixz,Iyz about its centre")
      ->option_text("[LINK:]MASS...");
  c->add_option("--tip-wrench", o.tip_wrench,
                "force and moment that the surroundings exert on a link (default: the tip) at its "
                "origin, in its frame: FX,FY,FZ,NX,NY,NZ")
      ->option_text("[LINK:]FX..NZ");
  c->add_option("--base-acceleration", o.base_acceleration,
                "in m/s², of the root link's origin, in its frame")
      ->option_text("X,Y,Z");
  c->add_option("--base-angular-velocity", o.base_velocity,
                "in rad/s, of the root link, in its frame")
      ->option_text("X,Y,Z");
  c->add_option("--base-angular-acceleration", o.base_angular_acceleration, "in rad/s², likewise")
      ->option_text("X,Y,Z");
  c->add_flag("--floating", o.floating, "hang the root link on a floating joint named after it");
  c->add_option("--threads", o.threads, "how many (default: all cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  CLI::Option* explain =
      c->add_flag("--explain", o.explain,
                  "print ω, ω̇, accelerations, forces and moments of every link for one sample")
          ->option_text(" ");
  c->add_option("--row", o.row, "which sample to explain, from 1")
      ->check(CLI::PositiveNumber)
      ->needs(explain)
      ->option_text("N");
  explain->excludes(output);
  explain->excludes(picture);
  c->add_flag("--force", o.force, "do not show the robot's warnings; its errors always refuse it");
  c->add_flag("--json", o.json, "one JSON object on standard output");
  c->footer(
      "Torques are rigid body plus rotor inertia. Limits that the motion breaks are noted on "
      "standard error.\n"
      "Examples:  parid torque puma560 -o torques.csv\n"
      "           parid torque panda.urdf motion.csv --payload 2,0,0,0.1 --json\n"
      "           parid torque ur5 pick.toml --rate 500 --within-limits slower -o torques.csv\n"
      "           parid torque puma560-positioning --motion thesis --plot torques.svg\n"
      "           parid torque planar2 --explain");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli
