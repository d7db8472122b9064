// parid table: torques from tables, with their memory and error; and the error of omitted terms.

#include <fmt/format.h>

#include <memory>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text/bytes_text.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "formulation/without_velocity_terms.hpp"
#include "lookup/term_selection.hpp"
#include "lookup/torque_error.hpp"
#include "model/given_values.hpp"
#include "motion/default_motion.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "runtime/method/evaluation.hpp"
#include "scalar/counted.hpp"

namespace parid::cli {
namespace table_command {
namespace {

using json = Json;

struct Options {
  RobotOptions robot;
  std::string kind = "configuration", points, output, load, payload, share = "0.01,0.05";
  double memory_gb = 2;
  int threads = 0, tilings = TableOptions{}.tilings;
  std::size_t cells = TableOptions{}.cells, lessons = TableOptions{}.lessons, samples = 2000;
  bool approximations = false, compare = false, json = false;
};

// Two significant digits: "0.27 %", "6.7 %", "340 %".
std::string percent(double x) {
  const double scale = x > 0 ? std::pow(10, 1 - std::floor(std::log10(100 * x))) : 10;
  const int digits = static_cast<int>(std::clamp(std::round(std::log10(scale)), 0.0, 9.0));
  return fmt::format("{:.{}f} %", std::round(100 * x * scale) / scale, digits);
}

TableOptions table_options(const Options& o) {
  TableOptions t;
  while (name_of(t.kind) != o.kind) t.kind = static_cast<TableKind>(static_cast<int>(t.kind) + 1);
  if (!o.points.empty())
    for (const double p : numbers("--points", o.points)) {
      if (p != std::floor(p) || p < 1 || p > 1e5)
        throw Error(
            fmt::format("--points: {} points along an axis is out of range; give a whole number "
                        "from 1 to 100000",
                        p));
      t.points.push_back(static_cast<int>(p));
    }
  t.memory_limit = 1e9 * o.memory_gb;
  t.threads = o.threads;
  t.tilings = o.tilings;
  t.cells = o.cells;
  t.lessons = o.lessons;
  return t;
}

TorqueTable build(const Robot& robot, TableOptions options) {
  Progress bar(fmt::format("{} table", name_of(options.kind)));
  options.progress = [&bar](double share) { bar.at(share); };
  return TorqueTable::build(robot, options);
}

json of(const TorqueError& e) {
  return {{"samples", e.samples},
          {"max_relative_error", e.max_relative},
          {"rms_relative_error", e.rms_relative},
          {"max_error", e.max_absolute}};
}

// ---- one table
// -------------------------------------------------------------------------------------

const std::vector<Axis>& axes_of(const TorqueTable& t) {
  if (t.kind() == TableKind::cmac) return t.cmac().inputs();
  return t.kind() == TableKind::state ? t.states().axes() : t.positions().axes();
}

std::string axis_name(const Robot& robot, std::size_t k) {
  const std::size_t n = robot.nv();
  constexpr const char* rates[] = {"q", "v", "a"};
  return fmt::format("{}:{}", rates[k / n],
                     (k < n ? robot.position_names() : robot.velocity_names())[k % n]);
}

void print_table(const Robot& robot, const TorqueTable& t) {
  const bool cmac = t.kind() == TableKind::cmac;
  fmt::print("\n{:<20} {:>10} {:>10} {:>8}\n", "axis", "from", "to", cmac ? "tiles" : "points");
  const std::vector<Axis>& axes = axes_of(t);
  for (std::size_t k = 0; k < axes.size(); ++k)
    fmt::print("{:<20} {:>10.4g} {:>10.4g} {:>8}{}\n", axis_name(robot, k), axes[k].low,
               axes[k].high, axes[k].points,
               axes[k].points <= (cmac ? 0 : 1) ? "  no dependence" : "");
  fmt::print("\n{}: ", bytes_text(static_cast<double>(t.bytes())));
  if (cmac)
    fmt::print("{} cells of {} numbers, {} tilings\n", t.cmac().cells(), t.n(), t.cmac().tilings());
  else
    fmt::print("{} positions of {} numbers{}\n", t.positions().points(), t.positions().width(),
               t.kind() == TableKind::state
                   ? fmt::format(", {} states of {}", t.states().points(), t.n())
                   : "");
  fmt::print("one torque: {:.0f} multiplications, {:.0f} additions\n", t.cost().multiplications,
             t.cost().additions);
}

void print_error(const char* what, const TorqueError& e) {
  fmt::print(
      "{}, {} random states: rms {}, largest {} of a state's largest torque; largest Δτ {:.3g}\n",
      what, e.samples, percent(e.rms_relative), percent(e.max_relative), e.max_absolute);
}

int one_table(const Options& o, const Robot& robot) {
  const auto start = std::chrono::steady_clock::now();
  const TorqueTable t =
      o.load.empty() ? build(robot, table_options(o)) : TorqueTable::load(robot, o.load);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const TorqueError error = table_error(t, robot, o.samples);
  TorqueError loaded;
  if (!o.payload.empty()) loaded = table_error(t, with_payload(robot, o.payload), o.samples);
  if (!o.output.empty()) t.save(o.output);

  if (o.json) {
    json axes = json::array();
    for (std::size_t k = 0; k < axes_of(t).size(); ++k)
      axes.push_back({{"coordinate", axis_name(robot, k)},
                      {"low", axes_of(t)[k].low},
                      {"high", axes_of(t)[k].high},
                      {"points", axes_of(t)[k].points}});
    json out{{"schema", "parid.table/1"},
             {"robot", robot.name()},
             {"kind", name_of(t.kind())},
             {"axes", axes},
             {"bytes", t.bytes()},
             {"multiplications", t.cost().multiplications},
             {"additions", t.cost().additions},
             {"error", of(error)},
             {"seconds", seconds}};
    if (!o.payload.empty()) {
      out["payload"] = o.payload;
      out["error_with_payload"] = of(loaded);
    }
    if (!o.output.empty()) out["file"] = o.output;
    print(out);
    return 0;
  }
  fmt::print("{}, {} table, {} in {}\n", robot.name(), name_of(t.kind()),
             o.load.empty() ? "built" : "loaded", human_time(seconds));
  print_table(robot, t);
  print_error("error", error);
  if (!o.payload.empty()) print_error(fmt::format("with payload {}", o.payload).c_str(), loaded);
  if (!o.output.empty()) fmt::print("saved in {}\n", o.output);
  return 0;
}

// ---- all kinds

struct Row {
  std::string kind, size;
  double bytes = 0;
  bool built = false;
  double multiplications = 0, additions = 0;
  TorqueError error{}, loaded{};
};

Row compared(const Options& o, const Robot& robot, const TableOptions& options, std::string size) {
  constexpr double most = 1.2e8;  // bytes; larger tables are listed, not built
  Row row{name_of(options.kind), std::move(size), plan_table(robot, options).bytes};
  row.built = row.bytes <= most;
  if (!row.built) return row;
  const TorqueTable t = build(robot, options);
  row.multiplications = t.cost().multiplications;
  row.additions = t.cost().additions;
  row.error = table_error(t, robot, o.samples);
  if (!o.payload.empty()) row.loaded = table_error(t, with_payload(robot, o.payload), o.samples);
  return row;
}

Row exact_row(const Robot& robot) {
  const Mechanism<Counted> m(robot.canonical().mechanism);
  const State<Counted> at(m);
  std::vector<Counted> tau(m.n + 1);
  NewtonEulerLink<Counted> newton_euler(m);
  Counted::reset();
  newton_euler.torque(m, at, tau.data());
  Row row{NewtonEulerLink<Counted>::id, "exact", 0, true};
  row.multiplications = static_cast<double>(Counted::count().multiplications);
  row.additions = static_cast<double>(Counted::count().additions);
  return row;
}

int compare(const Options& o, const Robot& robot) {
  std::vector<Row> rows;
  TableOptions options = table_options(o);
  options.points.clear();
  for (const TableKind kind : {TableKind::configuration, TableKind::state}) {
    options.kind = kind;
    for (const int points : {5, 9, 17, 33}) {
      options.points = {points};
      rows.push_back(compared(o, robot, options, fmt::format("{} points per axis", points)));
    }
  }
  options.kind = TableKind::cmac;
  options.points.clear();
  for (const std::size_t cells : {1u << 12, 1u << 14, 1u << 16, 1u << 18}) {
    options.cells = cells;
    rows.push_back(compared(o, robot, options, fmt::format("{} cells", cells)));
  }
  rows.push_back(exact_row(robot));

  if (o.json) {
    json tables = json::array();
    for (const Row& r : rows) {
      json row{{"kind", r.kind}, {"size", r.size}, {"bytes", r.bytes}, {"built", r.built}};
      if (r.built) {
        row["multiplications"] = r.multiplications;
        row["additions"] = r.additions;
        row["error"] = of(r.error);
      }
      if (r.built && !o.payload.empty()) row["error_with_payload"] = of(r.loaded);
      tables.push_back(row);
    }
    print(json{{"schema", "parid.table.compare/1"},
               {"robot", robot.name()},
               {"payload", o.payload},
               {"tables", tables}});
    return 0;
  }
  const std::string payload =
      o.payload.empty() ? "" : fmt::format(" rms with payload {} |", o.payload);
  fmt::print("| {} | size | memory | × | + | rms error | largest error | largest Δτ |{}\n",
             robot.name(), payload);
  fmt::print("|---|---|---|---|---|---|---|---|{}\n", payload.empty() ? "" : "---|");
  for (const Row& r : rows) {
    const bool exact = r.size == "exact";
    fmt::print("| {} | {} | {} |", r.kind, r.size, exact ? "–" : bytes_text(r.bytes));
    if (r.built)
      fmt::print(" {:.0f} | {:.0f} |", r.multiplications, r.additions);
    else
      fmt::print(" not built | |");
    if (r.built && !exact)
      fmt::print(" {} | {} | {:.2g} |", percent(r.error.rms_relative),
                 percent(r.error.max_relative), r.error.max_absolute);
    else
      fmt::print("{}", exact ? " 0 | 0 | 0 |" : " | | |");
    if (!payload.empty())
      fmt::print("{}", !r.built ? " |"
                       : exact  ? " 0 |"
                                : fmt::format(" {} |", percent(r.loaded.rms_relative)));
    fmt::print("\n");
  }
  return 0;
}

// ---- omitted terms

// One approximation along the default motion at one speed.
struct Loss {
  std::string id;
  double share;  // of significant_terms
  double speed;
  TorqueError error;
};

int approximations(const Options& o, const Robot& robot) {
  constexpr double speeds[] = {0.1, 0.2, 0.5, 1, 2, 5};
  const Mechanism<double>& m = robot.canonical().mechanism;
  const SampledTrajectory motion = default_motion(robot);
  const std::vector<double> shares = numbers("--share", o.share);
  std::vector<TermSelection> selections;
  for (const double share : shares) {
    if (!(share >= 0 && share < 1))
      throw Error(fmt::format(
          "--share: {} is out of range; give fractions from 0 to 1, such as 0.01", share));
    selections.push_back(significant_terms(robot, state_box(robot), {.share = share}));
  }
  std::vector<Loss> losses;
  for (const double speed : speeds) {
    std::vector<double> v = motion.v, a = motion.a, exact(motion.rows * robot.nv());
    for (double& x : v) x *= speed;
    for (double& x : a) x *= speed * speed;
    Engine(robot, {o.threads}).inverse_dynamics(motion.rows, motion.q, v, a, exact);
    auto add = [&](auto&& formulation, double share) {
      const std::vector<double> tau =
          runtime::torques_along(robot, formulation, motion.rows, motion.q, v, a);
      losses.push_back({formulation.id, share, speed, torque_error(robot.nv(), tau, exact)});
    };
    add(WithoutVelocityTerms<double>(m), 0);
    for (std::size_t k = 0; k < shares.size(); ++k)
      add(SignificantTerms<double>(m, selections[k]), shares[k]);
  }

  if (o.json) {
    json table = json::array(), terms = json::array();
    for (const Loss& l : losses) {
      json row{{"id", l.id}, {"speed", l.speed}, {"error", of(l.error)}};
      if (l.id == SignificantTerms<double>::id) row["share"] = l.share;
      table.push_back(row);
    }
    for (std::size_t k = 0; k < shares.size(); ++k)
      terms.push_back({{"share", shares[k]},
                       {"kept", selections[k].kept()},
                       {"nonzero", selections[k].nonzero},
                       {"all", selections[k].keep.size()}});
    print(json{{"schema", "parid.table.approximations/1"},
               {"robot", robot.name()},
               {"terms", terms},
               {"losses", table}});
    return 0;
  }
  for (std::size_t k = 0; k < shares.size(); ++k)
    fmt::print("{}, share {}: {} terms kept of {} nonzero terms ({} in total).\n", robot.name(),
               percent(shares[k]), selections[k].kept(), selections[k].nonzero,
               selections[k].keep.size());
  fmt::print("\n| speed | without_velocity_terms: rms | largest |");
  for (const double share : shares)
    fmt::print(" significant_terms {}: rms | largest |", percent(share));
  fmt::print("\n|---|---|---|");
  for (std::size_t k = 0; k < shares.size(); ++k) fmt::print("---|---|");
  for (std::size_t k = 0; k < losses.size(); ++k) {
    if (k % (1 + shares.size()) == 0) fmt::print("\n| {:g} |", losses[k].speed);
    fmt::print(" {} | {} |", percent(losses[k].error.rms_relative),
               percent(losses[k].error.max_relative));
  }
  fmt::print("\n");
  return 0;
}

// Refuses options that have no effect.
void check_effects(const Options& o, const CLI::App& c) {
  if (o.approximations)
    refuse_all_but(
        c, {"ROBOT", "--approximations", "--share", "--json", "--arg", "--env", "--package"},
        "--approximations builds no table; omit one of the two");
  else
    refuse(c, {"--share"}, "it requires --approximations");
  if (!o.load.empty())
    refuse(c, {"--memory", "--tilings", "--cells", "--lessons", "--threads", "--output"},
           "it applies to tables that are built; --load reads one");
  if (!o.compare && o.kind != "cmac")
    refuse(c, {"--tilings", "--cells", "--lessons"}, "it requires --kind cmac");
  if (o.compare)
    refuse(c, {"--tilings", "--cells", "--lessons"},
           "--compare chooses its own sizes; omit one of the two");
}

int run(const Options& o, const CLI::App& c) {
  check_effects(o, c);
  const Robot robot = load_robot(o.robot);
  require_moving_links(robot, 64, "a table");
  if (o.approximations) return approximations(o, robot);
  if (o.compare) return compare(o, robot);
  return one_table(o, robot);
}

}  // namespace
}  // namespace table_command

void add_table(CLI::App& app, Action& action) {
  using namespace table_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "table", "Approximate torques by tables or truncated sums: memory and error");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_robot_changes(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  add_no_rotors(*c, o.robot);
  c->add_option("--kind", o.kind,
                "configuration (G, J, C over positions), state (J over positions, the rest over "
                "states), cmac (a hashed, trained table)")
      ->check(one_of({std::begin(table_kinds), std::end(table_kinds)}))
      ->option_text("KIND")
      ->capture_default_str();
  c->add_option("--points", o.points,
                "points per axis: M, or m1,m2,… by coordinate (state: then by velocity; cmac: "
                "tiles). Default: 9; cmac 1");
  c->add_option("-o,--output", o.output, "write the table to this file");
  c->add_option("--load", o.load, "read a table instead of building one")
      ->excludes("--points")
      ->excludes("--kind");
  c->add_option("--payload", o.payload,
                "test the table on the robot with this payload: "
                "[LINK:]MASS[,X,Y,Z[,Ixx,Iyy,Izz,Ixy,Ixz,Iyz]]");
  c->add_option("--samples", o.samples, "number of random states for the error estimate")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  c->add_option("--memory", o.memory_gb, "refuse tables larger than this many GB")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  c->add_option("--tilings", o.tilings, "cmac: number of overlapping tilings")
      ->capture_default_str();
  c->add_option("--cells", o.cells, "cmac: number of memory cells")->capture_default_str();
  c->add_option("--lessons", o.lessons, "cmac: number of training states")->capture_default_str();
  c->add_option("--threads", o.threads, "number of threads (default: all cores)")
      ->check(CLI::Range(0, 4096));
  c->add_flag("--compare", o.compare, "compare all kinds in several sizes")
      ->excludes("--kind")
      ->excludes("--points")
      ->excludes("--load")
      ->excludes("-o");
  c->add_flag("--approximations", o.approximations,
              "build no table; print the error of omitting terms over the speed of motion");
  c->add_option("--share", o.share,
                "--approximations: drop terms that contribute less than this fraction of a joint's "
                "torque range")
      ->capture_default_str();
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "A state's relative error is max|Δτ| / max|τ| over its joints. Speed 1 is the default motion "
      "of `parid torque`.\n"
      "Examples:  parid table puma560-3 --points 17 -o puma.table\n"
      "           parid table puma560-3 --load puma.table --payload 2\n"
      "           parid table puma560-3 --compare --payload 2\n"
      "           parid table puma560 --approximations");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
