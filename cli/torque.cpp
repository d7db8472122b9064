// parid torque: the main job. A robot and a motion in, torques out.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/numbers.hpp"
#include "cli/payload.hpp"
#include "cli/progress.hpp"
#include "parid/formulation/all.hpp"
#include "parid/io/csv.hpp"
#include "parid/io/npy.hpp"
#include "parid/io/npz.hpp"
#include "parid/model/check.hpp"
#include "parid/model/load.hpp"
#include "parid/motion/default_motion.hpp"
#include "parid/motion/trajectory_file.hpp"
#include "parid/run/engine.hpp"
#include "parid/run/explain.hpp"

namespace parid::cli {
namespace {

struct Options {
  std::string robot, motion, method = "newton_euler_link", output;
  std::string gravity, payload, tip_wrench, base_acceleration, base_velocity, base_angular_acceleration;
  bool floating = false, force = false, derive = false, json = false, explain = false;
  int threads = 0;
  long row = -1;
} o;

std::string method_names() {
  std::string names;
  Formulations::each([&]<template <class> class F>() { names += (names.empty() ? "" : ", ") + std::string(F<double>::id); });
  return names;
}

Robot load_robot() {
  const Description d = load_description(o.robot, o.floating);
  for (const Finding& f : check(d))
    if (f.severity == Finding::Severity::warning && !o.force) fmt::print(stderr, "{}: warning: {}; {}\n", f.at.text(), f.message, f.remedy);
  Robot robot(d);
  if (!o.gravity.empty()) robot = robot.with_gravity(vector3("--gravity", o.gravity));
  if (!o.payload.empty()) robot = with_payload(robot, o.payload);
  return robot;
}

Surroundings surroundings(const Robot& robot) {
  Surroundings s;
  const std::string zero = "0,0,0";
  auto given = [&](const std::string& text) { return text.empty() ? zero : text; };
  s.set_base_motion(robot, vector3("--base-angular-velocity", given(o.base_velocity)),
                    vector3("--base-angular-acceleration", given(o.base_angular_acceleration)),
                    vector3("--base-acceleration", given(o.base_acceleration)));
  if (!o.tip_wrench.empty()) {
    const auto [link, x] = numbers_at_link("--tip-wrench", o.tip_wrench);
    if (x.size() != 6) throw Error(fmt::format("--tip-wrench: {} numbers given; a wrench has six: force, then moment", x.size()));
    s.add_wrench(robot, link.empty() ? robot.tip() : link, {x[0], x[1], x[2]}, {x[3], x[4], x[5]});
  }
  return s;
}

std::vector<double> evaluate(const Robot& robot, const Surroundings& around, const Trajectory& m) {
  Engine engine(robot, {o.threads});
  engine.set_surroundings(around);
  const std::size_t nq = robot.nq(), nv = robot.nv(), part = 1 << 16;
  std::vector<double> tau(m.rows * nv);
  Progress progress("torques");
  for (std::size_t r = 0; r < m.rows; r += part) {
    const std::size_t n = std::min(part, m.rows - r);
    engine.inverse_dynamics(n, std::span(m.q).subspan(r * nq, n * nq), std::span(m.v).subspan(r * nv, n * nv),
                            std::span(m.a).subspan(r * nv, n * nv), std::span(tau).subspan(r * nv, n * nv));
    progress.at(static_cast<double>(r + n) / static_cast<double>(m.rows));
  }
  return tau;
}

void write(const Robot& robot, const Trajectory& m, const std::vector<double>& tau) {
  const std::size_t nv = robot.nv();
  const std::string ending = o.output.empty() ? "" : std::filesystem::path(o.output).extension().string();
  std::vector<double> ordered(tau.size());
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nv; ++k) ordered[r * nv + k] = tau[r * nv + m.torque_order[k]];
  if (ending == ".npy") return write_npy(o.output, {{m.rows, nv}, ordered});
  if (ending == ".npz") {
    std::map<std::string, Array> arrays{{"tau", {{m.rows, nv}, ordered}}};
    if (!m.t.empty()) arrays["t"] = {{m.rows}, m.t};
    return write_npz(o.output, arrays);
  }
  std::vector<std::string> columns = m.torque_columns;
  if (!m.t.empty()) columns.insert(columns.begin(), "t");
  CsvWriter csv(o.output.empty() ? "-" : o.output, columns);
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

void print_explanation(const Robot& robot, const Surroundings& around, const Trajectory& m, std::size_t row) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  fmt::print("{}, sample {}{}\n", robot.name(), row + 1, m.t.empty() ? "" : fmt::format(" (t = {:.6g} s)", m.t[row]));
  fmt::print("Each link in its own frame, at its origin. The acceleration is less gravity; force and moment are what the\n"
             "link before exerts on it. SI units.\n");
  auto line = [](const char* name, const Vec3<double>& x) { fmt::print("  {:<26} {:>14.7g} {:>14.7g} {:>14.7g}\n", name, x.x, x.y, x.z); };
  for (const LinkExplanation& e : explain(robot, around, &m.q[row * nq], &m.v[row * nv], &m.a[row * nv])) {
    fmt::print("\n{}, moved by {}\n", e.link, e.joint);
    line("angular velocity ω", e.angular_velocity);
    line("angular acceleration ω̇", e.angular_acceleration);
    line("acceleration v̇", e.acceleration);
    line("force f", e.force);
    line("moment n", e.moment);
    fmt::print("  {:<26}", "torque τ");
    for (const double t : e.torque) fmt::print(" {:>14.7g}", t);
    fmt::print("\n");
  }
}

void print_json(const Robot& robot, const Trajectory& m, const std::vector<double>& tau, const std::vector<LimitBreak>& broken) {
  const std::size_t nv = robot.nv();
  nlohmann::json rows = nlohmann::json::array(), limits = nlohmann::json::array();
  for (std::size_t r = 0; r < m.rows; ++r) {
    std::vector<double> row(nv);
    for (std::size_t k = 0; k < nv; ++k) row[k] = tau[r * nv + m.torque_order[k]];
    rows.push_back(row);
  }
  for (const LimitBreak& b : broken)
    limits.push_back({{"coordinate", b.coordinate}, {"kind", b.kind}, {"value", b.value}, {"limit", b.limit}, {"sample", b.row}});
  const nlohmann::json out{{"schema", "parid.torque/1"}, {"robot", robot.name()}, {"method", o.method}, {"samples", m.rows},
                           {"columns", m.torque_columns}, {"t", m.t}, {"tau", rows}, {"limits_broken", limits}};
  fmt::print("{}\n", out.dump(1));
}

int run() {
  bool known = false;
  Formulations::each([&]<template <class> class F>() { known |= o.method == F<double>::id; });
  if (!known) throw Error(fmt::format("--method: there is no method '{}'; choose from {}", o.method, method_names()));
  if (!o.output.empty()) {
    const std::string ending = std::filesystem::path(o.output).extension().string();
    if (ending != ".csv" && ending != ".npy" && ending != ".npz" && o.output != "-")
      throw Error({o.output, 0}, "the ending of the output file is not known", "end it in .csv, .npy or .npz");
  }
  const Robot robot = load_robot();
  const Surroundings around = surroundings(robot);
  const Trajectory motion = o.motion.empty() ? default_motion(robot) : read_trajectory(robot, o.motion, {o.derive});
  if (o.explain) {
    // A default motion starts at rest, where little is to be seen: explain its middle.
    const std::size_t row = o.row >= 1 ? o.row - 1 : o.motion.empty() ? motion.rows / 3 : 0;
    if (row >= motion.rows) throw Error(fmt::format("--row: there is no sample {}; the motion has {}", o.row, motion.rows));
    print_explanation(robot, around, motion, row);
    return 0;
  }
  const std::vector<double> tau = evaluate(robot, around, motion);
  const std::vector<LimitBreak> broken = broken_limits(robot, motion, tau);
  for (const LimitBreak& b : broken)
    fmt::print(stderr, "note: {} of '{}' reaches {:.6g} at sample {}; its limit is {:.6g}\n", b.kind, b.coordinate, b.value, b.row + 1, b.limit);
  if (o.json) print_json(robot, motion, tau, broken);
  if (!o.json || !o.output.empty()) write(robot, motion, tau);
  return 0;
}

}  // namespace

void add_torque(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("torque", "joint torques along a motion: the main job");
  c->add_option("robot", o.robot, robot_help)->required();
  c->add_option("motion", o.motion,
                "CSV with header t,q:JOINT…,v:JOINT…,a:JOINT… (or q1…,v1…,a1…), .npy (N, nq + 2 nv), .npz with t, q, v, a; "
                "'-' reads CSV from standard input. Default: a minimum-jerk motion inside the limits");
  c->add_option("-o,--output", o.output, "where torques go: .csv, .npy or .npz (default: CSV to standard output)");
  c->add_option("--method", o.method, "formulation: " + method_names())->capture_default_str();
  c->add_option("--gravity", o.gravity, "x,y,z in m/s², instead of the robot file's");
  c->add_option("--payload", o.payload, payload_help);
  c->add_option("--tip-wrench", o.tip_wrench, "[LINK:]fx,fy,fz,nx,ny,nz that the surroundings exert on a link, by default the tip, in its frame");
  c->add_option("--base-acceleration", o.base_acceleration, "x,y,z in m/s² of the root link's origin, in its frame");
  c->add_option("--base-angular-velocity", o.base_velocity, "x,y,z in rad/s");
  c->add_option("--base-angular-acceleration", o.base_angular_acceleration, "x,y,z in rad/s²");
  c->add_flag("--floating", o.floating, "hang the root link on a floating joint named after it");
  c->add_flag("--derive", o.derive, "work out missing velocities and accelerations by splines");
  c->add_option("--threads", o.threads, "how many (default: all cores)")->check(CLI::Range(0, 4096));
  c->add_flag("--explain", o.explain, "print ω, ω̇, accelerations, forces and moments of every link for one sample");
  c->add_option("--row", o.row, "which sample to explain, from 1")->check(CLI::PositiveNumber);
  c->add_flag("--force", o.force, "do not show the robot's warnings; its errors always refuse it");
  c->add_flag("--json", o.json, "one JSON object on standard output");
  c->footer("Torques are rigid body plus rotor inertia. Limits that the motion breaks are noted on standard error.\n"
            "Examples:  parid torque puma560 -o torques.csv\n"
            "           parid torque panda.urdf motion.csv --payload 2,0,0,0.1 --json\n"
            "           parid torque puma560 --explain");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli
