// parid ik: joint positions for a pose of a link.

#include <fmt/format.h>

#include <memory>

#include <algorithm>
#include <optional>

#include "base/file/csv.hpp"
#include "cli/command.hpp"
#include "cli/input/ik_poses.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "parid/error.hpp"
#include "parid/inverse_kinematics.hpp"

namespace parid::cli {
namespace ik_command {
namespace {

struct Options : RobotOptions {
  std::optional<std::string> poses, pose, rpy, link, seed, output, offset;
  std::optional<double> redundancy;
  bool all = false, search = false, independent = false, json = false;
  int threads = 0;
};

struct Solved {
  std::vector<IkSolution> solutions;
  std::vector<IkBranch> branches;  // instead, with --all
};

void check_options(const Options& o) {
  if (o.poses.has_value() == o.pose.has_value())
    throw Error("give either a pose with --pose X,Y,Z[,QX,QY,QZ,QW] or a CSV file of poses");
  if (o.rpy && !o.pose) throw Error("--rpy: it requires --pose X,Y,Z");
  if (o.all && (o.poses || o.search))
    throw Error("--all: it requires one --pose and a closed form; omit the file and --search");
  if (o.redundancy && !o.all)
    throw Error(
        "--redundancy: it chooses among the configurations of a closed form; give --all too");
  if (o.independent && !o.poses) throw Error("--independent: it requires a file of poses");
  if (o.output && o.output->empty())
    throw Error("--output: the name of the file is empty; give a path");
  if (o.output && o.json && *o.output == "-")
    throw Error("--output: --json uses standard output; give a file, or omit --json");
}

std::vector<double> asked_seed(const Options& o, const Robot& robot) {
  if (!o.seed) return {};
  std::vector<double> seed = numbers("--seed", *o.seed);
  if (static_cast<int>(seed.size()) != robot.nq())
    throw Error(fmt::format("--seed: {} numbers given; '{}' has {} positions: {}", seed.size(),
                            robot.name(), robot.nq(), fmt::join(robot.position_names(), ", ")));
  return seed;
}

// Row after row, each starting from the previous solution; or all independently.
std::vector<IkSolution> solved(const Options& o, InverseKinematics& ik, const IkPoses& poses,
                               std::vector<double> seed) {
  std::vector<IkSolution> out;
  if (o.independent && poses.oriented) {
    const std::size_t n = poses.pose.size(), nq = static_cast<std::size_t>(ik.robot().nq());
    std::vector<double> q(n * nq), seeds;
    std::vector<IkReport> reports(n);
    for (std::size_t r = 0; r < n && !seed.empty(); ++r)
      seeds.insert(seeds.end(), seed.begin(), seed.end());
    ik.solve(poses.pose, seeds, q, reports);
    for (std::size_t r = 0; r < n; ++r) {
      out.push_back({reports[r],
                     {q.begin() + static_cast<std::ptrdiff_t>(r * nq),
                      q.begin() + static_cast<std::ptrdiff_t>((r + 1) * nq)},
                     ""});
      if (!reports[r].converged) out.back().why = ik.why(reports[r]);
    }
    return out;
  }
  for (const LinkPose& pose : poses.pose) {
    out.push_back(poses.oriented ? ik.solve(pose, seed) : ik.solve(pose.position, seed));
    if (!o.independent && out.back().converged) seed = out.back().q;
  }
  return out;
}

Json json_of(const IkReport& r, const std::vector<double>& q) {
  return {{"converged", r.converged},     {"q", q},           {"position_error", r.position_error},
          {"angle_error", r.angle_error}, {"steps", r.steps}, {"attempts", r.attempts}};
}

void print_json(const InverseKinematics& ik, const IkPoses& poses, const Solved& s) {
  Json rows = Json::array();
  for (const IkSolution& one : s.solutions) {
    Json row = json_of(one, one.q);
    row["why"] = one.why;
    rows.push_back(row);
  }
  for (const IkBranch& b : s.branches) {
    Json row = json_of({true, b.position_error, b.angle_error, 0, 0}, b.q);
    row["why"] = "";
    row["branch"] = b.number;
    row["within_limits"] = b.within_limits;
    row["singular"] = b.singular;
    rows.push_back(row);
  }
  print({{"schema", "parid.ik/1"},
         {"robot", ik.robot().name()},
         {"link", ik.link()},
         {"offset", {{"position", ik.offset().position}, {"rotation", ik.offset().rotation}}},
         {"solver", poses.oriented ? ik.solver() : "numeric"},
         {"closed_form", ik.closed_form()},
         {"closed_form_text", ik.closed_form_text()},
         {"redundancy", ik.redundancy()},
         {"oriented", poses.oriented},
         {"columns", ik.robot().position_names()},
         {"t", poses.t.empty() ? Json(nullptr) : Json(poses.t)},
         {"solutions", rows}});
}

// Positions under the names that `parid torque` reads: "q:shoulder".
void write_csv(const Options& o, const Robot& robot, const IkPoses& poses, const Solved& s) {
  std::vector<std::string> columns;
  if (!poses.t.empty()) columns.push_back("t");
  for (const std::string& name : robot.position_names()) columns.push_back("q:" + name);
  CsvWriter csv(o.output.value_or("-"), columns);
  auto put = [&](std::size_t r, const std::vector<double>& q) {
    std::vector<double> row = q;
    if (!poses.t.empty()) row.insert(row.begin(), poses.t[r]);
    csv.row(row);
  };
  for (std::size_t r = 0; r < s.solutions.size(); ++r) put(r, s.solutions[r].q);
  for (const IkBranch& b : s.branches) put(0, b.q);
  csv.commit();
}

void print_one(const InverseKinematics& ik, const IkPoses& poses, const Solved& s) {
  const bool closed = poses.oriented && (ik.solver() != "numeric" || !s.branches.empty());
  const bool classic = ik.closed_form() == "puma" || ik.closed_form() == "stanford";
  fmt::print("{}, link '{}', {}\n", ik.robot().name(), ik.link(),
             !closed   ? "damped least squares"
             : classic ? fmt::format("closed form of the {}",
                                     ik.solver() == "puma" ? "PUMA" : "Stanford arm")
                       : "closed form: " + ik.closed_form_text());
  const std::vector<std::string>& names = ik.robot().position_names();
  if (!s.branches.empty()) {
    fmt::print("\n{:<20}", "branch");
    for (const IkBranch& b : s.branches) fmt::print(" {:>12}", b.number);
    fmt::print("\n");
    for (std::size_t k = 0; k < names.size(); ++k) {
      fmt::print("{:<20}", names[k]);
      for (const IkBranch& b : s.branches) fmt::print(" {:>12.8f}", b.q[k]);
      fmt::print("\n");
    }
    fmt::print("{:<20}", "within limits");
    for (const IkBranch& b : s.branches) fmt::print(" {:>12}", b.within_limits ? "yes" : "no");
    fmt::print("\n");
    if (std::any_of(s.branches.begin(), s.branches.end(),
                    [](const IkBranch& b) { return b.singular; })) {
      fmt::print("{:<20}", "singular");
      for (const IkBranch& b : s.branches) fmt::print(" {:>12}", b.singular ? "yes" : "no");
      fmt::print("\n");
    }
  }
  for (const IkSolution& one : s.solutions) {
    for (std::size_t k = 0; k < names.size(); ++k)
      fmt::print("{:<20} {:>16.12f}\n", names[k], one.q[k]);
    fmt::print(
        "{} {:.2g} m{}",
        one.converged ? "position error" : "not reached; closest solution: position error",
        one.position_error,
        poses.oriented ? fmt::format(", orientation error {:.2g} rad", one.angle_error) : "");
    if (one.attempts > 0)
      fmt::print("; {} steps from {} start{}", one.steps, one.attempts,
                 one.attempts == 1 ? "" : "s");
    fmt::print("\n");
  }
}

int run(const Options& o, const CLI::App& c) {
  check_options(o);
  if (!given(c, "--independent")) refuse(c, {"--threads"}, "it requires --independent");
  const Robot robot = load_robot(o);
  const LinkPose offset = o.offset ? tip_offset(*o.offset) : LinkPose{};
  InverseKinematics ik(robot, o.link.value_or(robot.tip()), offset,
                       {.closed_form = !o.search, .threads = o.threads});
  const IkPoses poses = o.poses ? read_poses(*o.poses) : one_pose(*o.pose, o.rpy);
  const std::vector<double> seed = asked_seed(o, robot);
  Solved s;
  if (o.all && !poses.oriented)
    throw Error(
        "--all: a position without an orientation has infinitely many solutions; give an "
        "orientation too");
  if (o.all)
    s.branches = o.redundancy ? ik.all_with(poses.pose.front(), *o.redundancy, seed)
                              : ik.all(poses.pose.front(), seed);
  else
    s.solutions = solved(o, ik, poses, seed);
  if (o.all && s.branches.empty()) s.solutions = {ik.solve(poses.pose.front(), seed)};

  if (o.json) print_json(ik, poses, s);
  if (o.output || (!o.json && o.poses)) write_csv(o, robot, poses, s);
  if (!o.json && !o.poses && !(o.output && *o.output == "-")) print_one(ik, poses, s);
  std::size_t missed = 0;
  for (std::size_t r = 0; r < s.solutions.size(); ++r)
    if (!s.solutions[r].converged && missed++ < 10)
      note("{}: {}", poses.place(r), s.solutions[r].why);
  if (missed > 1) note("{} of {} poses were not reached", missed, s.solutions.size());
  return missed > 0;
}

}  // namespace
}  // namespace ik_command

void add_ik(CLI::App& app, Action& action) {
  using namespace ik_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("ik", "Compute joint positions that bring a link to a pose");
  c->add_option("ROBOT", o.robot, robot_help)->required();
  c->add_option("POSES", o.poses,
                "CSV with header x,y,z (m), and qx,qy,qz,qw or roll,pitch,yaw (rad) for "
                "orientation, and optionally t; '-' reads standard input. The search for each row "
                "starts at the previous solution");
  c->add_option("--pose", o.pose, "one pose in the root link's frame; X,Y,Z only: any orientation")
      ->option_text("X,Y,Z[,QX,QY,QZ,QW]");
  c->add_option("--rpy", o.rpy,
                "orientation of --pose X,Y,Z: rotations about the fixed axes x, then y, then z")
      ->option_text("ROLL,PITCH,YAW");
  c->add_option("--link", o.link, "link to move (default: the tip)")->option_text("NAME");
  c->add_option("--offset", o.offset, tip_offset_help)->option_text("X,Y,Z[,R,P,Y]");
  add_frame_and_tip(*c, o);
  add_robot_changes(*c, o);
  c->add_option("--seed", o.seed, "positions of all joints; return the closest solution to them")
      ->option_text("Q1,Q2...");
  c->add_flag("--all", o.all, "list all branches of a closed-form solution");
  c->add_option(
       "--redundancy", o.redundancy,
       "with --all, of a seven-axis arm: the arm angle, or the position of the last joint, "
       "in rad (default: that of the seed)")
      ->option_text("ANGLE");
  c->add_flag("--search", o.search, "search numerically even if there is a closed form");
  c->add_flag("--independent", o.independent, "solve the rows of POSES independently on all cores");
  c->add_option("-o,--output", o.output,
                "write positions as CSV, which `parid torque --derive` reads")
      ->option_text("FILE");
  c->add_option("--threads", o.threads, "threads for --independent (default: all cores)")
      ->check(CLI::Range(0, 4096))
      ->option_text("N");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Solutions are within the joint limits. If there is none, the closest solution found is "
      "printed with its error,\nand the exit code is 1.\nExamples:  parid ik puma560 --pose "
      "0.4,0.1,0.3,0,0.70710678,0,0.70710678 --all\n           parid ik panda --pose 0.4,0.1,0.5 "
      "--rpy 3.1416,0,0\n           parid ik panda --pose 0.4,0.1,0.5 --offset 0,0,0.12\n          "
      " "
      "parid ik panda --pose 0.4,0.1,0.5 --rpy 3.1416,0,0 --all --redundancy 0.5\n           "
      "parid ik panda path.csv -o joints.csv");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
