// parid torque: computes torques from a robot and a motion.

#include <fmt/format.h>

#include <memory>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/file/csv.hpp"
#include "base/file/hdf5.hpp"
#include "base/file/npz.hpp"
#include "cli/command.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/limits_report.hpp"
#include "cli/summary/motion_report.hpp"
#include "cli/summary/torque_report.hpp"
#include "dynamics/friction_stage.hpp"
#include "formulation/lee_chang_pfold.hpp"
#include "lookup/methods.hpp"
#include "model/canonical_model.hpp"
#include "motion/file/trajectory_file.hpp"
#include "runtime/kernel/specialized_program.hpp"

namespace parid::cli {
namespace torque_command {
namespace {

std::string ending(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// Checks that need no computation.
void check_options(const TorqueOptions& o) {
  if (o.method != quickest_method) method(o.method);  // or an Error
  if (o.processors && (o.method == quickest_method || !method(o.method).takes_processors))
    throw Error(fmt::format(
        "--processors: method '{}' does not run on a chosen number of processors; add --method "
        "lee_chang_pfold",
        o.method));
  if (o.row && *o.row < 0)
    throw Error(fmt::format("--row: {} is out of range; samples are counted from 0", *o.row));
  if (o.as_printed && !o.friction) throw Error("--as-printed: it requires --friction");
  if (o.as_printed && o.method != engines_method && o.method != quickest_method)
    throw Error(
        "--as-printed: the program of Dhanaraj (1990) is a method of its own; omit --method");
  check_verify(o.verify);
  if (o.verify && o.as_printed)
    throw Error("--verify: the printed program of Dhanaraj (1990) has errors; omit --as-printed");
  check_motion_options(o.motion);
  if (o.plot) check_plot_path("--plot", *o.plot);
  if (!o.output) return;
  if (o.json && *o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
  check_trajectory_path(*o.output);
}

// Names of columns: "tau:elbow" or "tau2" for the torque, "rigid:elbow" or "rigid2" for a part.
std::vector<std::string> columns_of(const SampledTrajectory& m, const Torques::Part& part) {
  std::vector<std::string> columns;
  for (const std::string& name : m.torque_columns)
    columns.push_back(part.name + name.substr(std::string("tau").size()));
  return columns;
}

// In the order of the motion's columns.
std::vector<double> ordered(const Robot& robot, const SampledTrajectory& m,
                            const std::vector<double>& x) {
  const std::size_t nv = robot.nv();
  std::vector<double> out(x.size());
  for (std::size_t r = 0; r < m.rows; ++r)
    for (std::size_t k = 0; k < nv; ++k) out[r * nv + k] = x[r * nv + m.torque_order[k]];
  return out;
}

void write(const TorqueOptions& o, const Robot& robot, const SampledTrajectory& m,
           const Torques& torques) {
  const std::size_t nv = robot.nv();
  const std::string path = o.output.value_or("-");
  if (ending(path) == ".npy")
    return write_npy(path, {{m.rows, nv}, ordered(robot, m, torques.tau)});
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;
  std::map<std::string, Array> arrays;
  if (!m.t.empty()) {
    columns.push_back("t");
    arrays["t"] = {{m.rows}, m.t};
  }
  for (const Torques::Part& part : torques.parts()) {
    const std::vector<std::string> names = columns_of(m, part);
    columns.insert(columns.end(), names.begin(), names.end());
    values.push_back(ordered(robot, m, *part.values));
  }
  if (ending(path) == ".npz" || is_hdf5_name(path)) {
    for (std::size_t p = 0; p < values.size(); ++p)
      arrays[torques.parts()[p].name] = {{m.rows, nv}, values[p]};
    return is_hdf5_name(path) ? write_hdf5(path, arrays) : write_npz(path, arrays);
  }
  CsvWriter csv(path, columns, o.threads);
  std::vector<double> rows;
  Progress progress("writing");
  for (std::size_t r = 0; r < m.rows; ++r) {
    if (!m.t.empty()) rows.push_back(m.t[r]);
    for (const std::vector<double>& x : values)
      rows.insert(rows.end(), &x[r * nv], &x[r * nv] + nv);
    if (r % 16384 != 16383 && r + 1 != m.rows) continue;
    csv.rows(rows);
    rows.clear();
    progress.at(static_cast<double>(r) / static_cast<double>(m.rows));
  }
  csv.commit();
}

// Verifies rigid-body torques; friction is added to them.
Verification verification(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
                          const SampledTrajectory& m, const Torques& torques) {
  const std::string asked = o.method == quickest_method ? engines_method : o.method;
  Verifier verifier(robot, Quantity::inverse_dynamics, "", around, asked);
  Verification v;
  v.method = verifier.method();
  v.tolerance = Verifier::tolerance(Quantity::inverse_dynamics, false);
  const std::vector<double>& tau = o.friction ? torques.rigid : torques.tau;
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  for (const std::size_t r : sample_of_rows(m.rows, static_cast<std::size_t>(*o.verify))) {
    const double *in[] = {&m.q[r * nq], &m.v[r * nv], &m.a[r * nv]}, *out[] = {&tau[r * nv]};
    v.add(r, verifier.error(in, out));
  }
  return v;
}

void print_json(const TorqueOptions& o, const Robot& robot, const SampledTrajectory& m,
                const Torques& torques, const std::vector<LimitBreak>& broken,
                const std::optional<TimeScaling>& scaling,
                const std::optional<Verification>& verified) {
  const std::size_t nv = robot.nv();
  Json object{{"schema", "parid.torque/1"},
              {"robot", robot.name()},
              {"method", o.elastic ? "elastic_joints" : o.method},
              {"samples", m.rows},
              {"columns", m.torque_columns},
              {"limits_broken", json_of(broken)},
              {"time_scaling", json_of(o.motion, scaling)},
              {"t", m.t.empty() ? Json(nullptr) : Json(m.t)}};
  if (!torques.taken.empty()) object["taken"] = torques.taken;
  if (!torques.device.empty()) object["device"] = torques.device;
  if (o.processors) object["processors"] = *o.processors;
  if (verified) object["verified"] = json_of(*verified);
  for (const Torques::Part& part : torques.parts()) {
    const std::vector<double> x = ordered(robot, m, *part.values);
    Json rows = Json::array();
    for (std::size_t r = 0; r < m.rows; ++r)
      rows.push_back(std::vector<double>(&x[r * nv], &x[r * nv] + nv));
    object[part.name] = std::move(rows);
  }
  print(object);
}

SampledTrajectory row_of(const Robot& robot, const SampledTrajectory& m, std::size_t row) {
  auto cut = [row](const std::vector<double>& x, std::size_t width) {
    return std::vector<double>(&x[row * width], &x[row * width] + width);
  };
  SampledTrajectory one;
  one.rows = 1;
  one.q = cut(m.q, robot.nq());
  one.v = cut(m.v, robot.nv());
  one.a = cut(m.a, robot.nv());
  return one;
}

int explain_one(const TorqueOptions& o, const Robot& robot, const ExternalLoads& around,
                const SampledTrajectory& m) {
  // A default motion starts and ends at rest, where little is visible: explains a sample in
  // between.
  const std::size_t row = o.row ? static_cast<std::size_t>(*o.row) : o.motion.file ? 0 : m.rows / 3;
  if (row >= m.rows)
    throw Error(fmt::format(
        "--row: there is no sample {}; the motion has {} samples, counted from 0", row, m.rows));
  const std::size_t nq = robot.nq(), nv = robot.nv();
  const auto links = explain(robot, around, &m.q[row * nq], &m.v[row * nv], &m.a[row * nv]);
  for (const LinkExplanation& e : links)
    for (const double x : e.torque)
      if (!std::isfinite(x))
        throw Error(fmt::format("{}: the torque of '{}' exceeds the range of a double",
                                place(m, row), e.joint));
  Torques torques;
  if (o.friction) torques = asked_torques(o, robot, around, row_of(robot, m, row));
  if (o.json) {
    Json object{{"schema", "parid.explain/1"},
                {"robot", robot.name()},
                {"sample", row},
                {"t", m.t.empty() ? Json(nullptr) : Json(m.t[row])},
                {"gravity", robot.gravity()},
                {"links", json_of(links)}};
    if (o.friction) object["friction"] = friction_json(robot, torques);
    print(object);
    return 0;
  }
  fmt::print("{}, sample {} (counted from 0) of {}{}{}\n", robot.name(), row, m.rows,
             m.place            ? " (" + m.place(row).text() + ")"
             : o.motion.given() ? ""
                                : " of the default motion",
             m.t.empty() ? "" : fmt::format(", t = {:.6g} s", m.t[row]));
  if (!o.as_printed) print_links(robot, links);
  if (o.friction) print_friction(robot, torques);
  return 0;
}

// On a terminal, where hundreds of rows of numbers answer nothing.
void print_summary(const TorqueOptions& o, const Robot& robot, const SampledTrajectory& m,
                   const Torques& torques) {
  const std::string motion = o.motion.file.value_or(o.motion.name.value_or("default"));
  const std::vector<CheckedMotion> motions{{motion, m.t, check_limits(robot, m, torques.tau)}};
  fmt::print("{}{}: motion {}, {} samples{}{}{}\n\n", robot.name(),
             o.payload ? fmt::format(" with a payload of {}", *o.payload) : "", motion, m.rows,
             m.t.empty() ? "" : fmt::format(", {:.4g} s", m.t.back() - m.t.front()),
             o.friction ? "; friction counts" : "; without friction",
             o.elastic ? "; torques of motors, with elastic joints" : "");
  const LimitsReport& report = motions[0].report;
  print_loads(report, motions, std::vector<std::size_t>(report.joints.size()));
  fmt::print(
      "-o FILE writes the torques of all samples, -o - prints them; `parid limits` checks "
      "limits, margins and motors\n");
}

// Options that are about rigid transmissions.
void check_elastic(const TorqueOptions& o, const CLI::App& c) {
  if (!o.elastic) return;
  refuse(
      c, {"--method", "--processors", "--kernel", "--threads", "--verify", "--explain"},
      "torques with elastic joints are computed with their time derivatives, by one method; omit "
      "it, or omit --elastic");
  refuse(c,
         {"--tip-wrench", "--base-acceleration", "--base-angular-velocity",
          "--base-angular-acceleration"},
         "torques with elastic joints need the time derivatives of external loads, which are not "
         "given; omit it, or omit --elastic");
  refuse(c, {"--within-limits"},
         "motions are re-timed by torques of rigid joints; re-time the motion first with `parid "
         "motion`, or omit --elastic");
  refuse(c, {"--full-rotors"},
         "the model of elastic joints has no gyroscopic torques of rotors; omit one of both");
  refuse(c, {"--as-printed"}, "Dhanaraj (1990) has rigid joints; omit --elastic");
}

// Options of computations on the CPU.
void check_device(const TorqueOptions& o, const CLI::App& c) {
  if (!o.device) return;
  if (o.device->empty())
    throw Error("--device: the name is empty; give a part of a name that `parid devices` lists");
  refuse(c,
         {"--method", "--processors", "--kernel", "--friction", "--elastic", "--as-printed",
          "--explain"},
         "a device computes rigid-body torques by the robot's specialized program; omit it, or "
         "omit --device");
  refuse(c,
         {"--tip-wrench", "--base-acceleration", "--base-angular-velocity",
          "--base-angular-acceleration"},
         "programs for devices have a stationary base and no external wrenches; omit it, or omit "
         "--device");
}

// Which model the torques are of.
void note_elasticity(const TorqueOptions& o, const Robot& robot, const HigherDerivatives& higher) {
  if (o.elastic && higher.jump > 0.05)
    note(
        "note: the acceleration of '{}' jumps between samples {} and {}; motors of elastic joints "
        "cannot follow, and torques near the jump are not realisable: use a motion with continuous "
        "jerk",
        robot.velocity_names()[static_cast<std::size_t>(higher.coordinate)], higher.row,
        higher.row + 1);
  if (o.elastic && o.motion.file && std::filesystem::path(*o.motion.file).extension() != ".toml")
    note("note: derivatives of the file's accelerations are those of cubic splines");
  if (!o.elastic) note_rigid(robot);
}

int run(const TorqueOptions& o, const CLI::App& c) {
  if (is_help(o.motion)) return print_named_motions(), 0;
  check_options(o);
  check_elastic(o, c);
  check_device(o, c);
  const Robot robot = asked_robot(o);
  if (const int n = robot.canonical().topology.n; o.processors && *o.processors > n)
    throw Error(fmt::format(
        "--processors: {} is out of range; robot '{}' has {} moving links: give a number from 1 to "
        "{}",
        *o.processors, robot.name(), n, n));
  const ExternalLoads around = asked_external_loads(o, robot);
  if (o.friction && FrictionStage<double>(robot.canonical()).nothing())
    note("{}: note: the robot has no friction, bearings or drives; --friction has no effect",
         robot.description().file);
  if (o.elastic) require_elastic(robot);
  HigherDerivatives higher;
  MotionOptions with_threads = o.motion;
  with_threads.threads = o.threads;
  SampledTrajectory motion = asked_motion(robot, with_threads, o.elastic ? &higher : nullptr);
  note_elasticity(o, robot, higher);
  const auto scaling = asked_pace(robot, o.motion, motion, torques_along(robot, around, o.threads));
  if (o.explain) return explain_one(o, robot, around, motion);
  const Torques torques = o.elastic ? elastic_torques(o, robot, motion, higher)
                                    : asked_torques(o, robot, around, motion);
  if (!torques.taken.empty() && !o.json) note("note: --method auto selected {}", torques.taken);
  const std::vector<LimitBreak> broken = broken_limits(robot, motion, torques.tau);
  std::optional<Verification> verified;
  if (o.verify) verified = verification(o, robot, around, motion, torques);
  if (verified && !verified->good()) {
    say("{}: the torques differ from {} by {:.3g}, more than {:.0e}\n",
        place(motion, verified->worst_row), verified->method, verified->max_relative_error,
        verified->tolerance);
    if (!o.json) return 1;
  }
  if (verified && verified->good() && !o.json) say("{}\n", text(*verified));
  if (o.json) print_json(o, robot, motion, torques, broken, scaling, verified);
  if (verified && !verified->good()) return 1;
  if (!o.json && !o.output && on_terminal(stdout))
    print_summary(o, robot, motion, torques);
  else if (!o.json || o.output)
    write(o, robot, motion, torques);
  if (o.plot) {
    Figure figure = motion_figure(robot, motion, &torques.tau);
    if (o.friction && !o.elastic) add_friction(figure, robot, torques.bearing, torques.drive);
    plot(figure, *o.plot, o.plot_style);
  }
  note(broken, robot, motion, o.motion);
  return 0;
}

}  // namespace
}  // namespace torque_command

void add_torque(CLI::App& app, Action& action) {
  using namespace torque_command;
  const auto options = std::make_shared<TorqueOptions>();
  TorqueOptions& o = *options;
  CLI::App* c = app.add_subcommand("torque", "Compute joint torques along a trajectory");
  c->add_option("ROBOT", o.robot, robot_help)->required();
  add_motion_options(*c, o.motion);
  CLI::Option* output =
      c->add_option(
           "-o,--output", o.output,
           "write torques to .csv, .npy, .npz or .h5 (default: CSV to standard output; on a "
           "terminal a summary per joint)")
          ->option_text("FILE");
  CLI::Option* picture = c->add_option("--plot", o.plot,
                                       "plot positions, velocities and torques, and friction with "
                                       "--friction, to .pdf, .svg or .png (needs gnuplot)")
                             ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_option("--method", o.method,
                fmt::format("formulation: {} (default: {}); or auto: the fastest variant of the "
                            "default on this machine",
                            method_names(), engines_method))
      ->option_text("NAME");
  c->add_option("--processors", o.processors,
                fmt::format("number of processors that --method lee_chang_pfold divides the links "
                            "among, 1 to the number of moving links (default: {})",
                            default_processors))
      ->check(CLI::Range(1, 1 << 30))
      ->option_text("P");
  c->add_option("--gravity", o.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_option("--payload", o.payload,
                "attach a body to a link (default: the tip), in the link's frame: MASS, or "
                "MASS,X,Y,Z, or MASS,X,Y,Z,Ixx,Iyy,Izz,Ixy,Ixz,Iyz about its centre of mass")
      ->option_text("[LINK:]MASS...");
  c->add_option("--tip-wrench", o.tip_wrench,
                "force and moment that the environment exerts on a link (default: the tip) at its "
                "origin, in its frame: FX,FY,FZ,NX,NY,NZ")
      ->option_text("[LINK:]FX..NZ");
  c->add_option("--base-acceleration", o.base_acceleration,
                "linear acceleration of the root link's origin, in its frame, in m/s²")
      ->option_text("X,Y,Z");
  c->add_option("--base-angular-velocity", o.base_velocity,
                "angular velocity of the root link, in its frame, in rad/s")
      ->option_text("X,Y,Z");
  c->add_option("--base-angular-acceleration", o.base_angular_acceleration,
                "angular acceleration of the root link, in its frame, in rad/s²")
      ->option_text("X,Y,Z");
  c->add_flag("--friction", o.friction,
              "add bearing friction and drive losses of the robot file; the output has the total "
              "(tau) and its parts rigid, bearing and drive");
  c->add_flag(
      "--elastic", o.elastic,
      "torques of motors where the robot file has elastic transmissions; the output has the "
      "torques on links (link) and by how much motors are ahead of links (deflection) too");
  c->add_flag("--as-printed", o.as_printed,
              "puma560-positioning only: the program of Dhanaraj (1990) with its errors, to "
              "compare with its figures (docs/case-study.md)");
  c->add_flag("--floating", o.floating, "give the robot a floating base");
  c->add_option("--kernel", o.kernel,
                fmt::format("generic; interpreted: the robot's specialized program, without a "
                            "compiler; machine: the same as machine code, in milliseconds, on "
                            "x86-64; compiled: the same, compiled by the system's C compiler and "
                            "cached; auto: machine for {} samples or more, compiled if it is in "
                            "the cache or for {} or more",
                            grouped(specialize_from_rows), grouped(compile_from_rows)))
      ->check(one_of({"auto", "generic", "interpreted", "machine", "compiled"}))
      ->option_text("KIND")
      ->capture_default_str();
  c->add_option("--device", o.device,
                "compute on an OpenCL device: a part of its name, or its number in `parid devices`")
      ->option_text("NAME");
  c->add_option("--threads", o.threads, "number of threads (default: all cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  add_verify(*c, o.verify);
  CLI::Option* explain =
      c->add_flag("--explain", o.explain,
                  "print ω, ω̇, accelerations, forces and moments of every link for one sample")
          ->option_text(" ");
  c->add_option("--row", o.row, "sample to explain, counted from 0")
      ->needs(explain)
      ->option_text("N");
  explain->excludes(output);
  explain->excludes(picture);
  add_robot_changes(*c, o);
  add_frame_and_tip(*c, o);
  add_rotors(*c, o);
  add_force(*c, o);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Torques include rigid bodies and rotor inertia; friction only with --friction. Exceeded "
      "limits are reported on standard error.\nExamples:  parid torque puma560 -o torques.csv\n    "
      "       parid torque panda.urdf motion.csv --payload 2,0,0,0.1 --json\n           parid "
      "torque puma560-positioning --motion dhanaraj --friction --plot torques.svg\n           "
      "parid torque ur5 pick.toml --rate 500 --within-limits slower -o torques.csv\n           "
      "parid torque planar2 --explain");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
