// parid compare: agreement, operations, depth and time of all formulations.

#include <fmt/format.h>

#include <memory>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "base/text/spelling.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/comparison.hpp"
#include "cli/summary/scan_report.hpp"
#include "formulation/scope.hpp"
#include "lookup/methods.hpp"
#include "model/canonical_model.hpp"
#include "papers/shared/published_counts.hpp"
#include "parid/error.hpp"
#include "runtime/cost/chain_depth.hpp"

namespace parid::cli {
namespace compare_command {
namespace {

struct Options {
  RobotOptions robot;
  std::string vary;
  std::vector<std::string> only;
  long samples = 100;
  bool json = false, markdown = false, published = false, depths = false;
  std::optional<int> processors;
  std::optional<std::string> network;
  std::optional<int> matrix_cells;
};

// With --processors or --network. A network without a number has one processor per element.
std::optional<ScanReport> asked_scans(const Options& o, const Robot& robot) {
  if (!o.processors && !o.network) {
    if (o.matrix_cells)
      throw Error("--matrix-cells: it requires --processors or --network, such as --processors 4");
    return {};
  }
  const Topology& t = robot.canonical().topology;
  if (!is_chain(t))
    throw Error(
        fmt::format("--processors: scans need a serial chain, and robot '{}' branches; choose a "
                    "chain, such as chain:6",
                    robot.name()));
  return scan_report(robot, o.processors.value_or(t.n + 1), o.network.value_or(""),
                     o.matrix_cells.value_or(0));
}

// The methods of --only, or all; in the order of the list.
std::vector<const MethodEntry*> asked_methods(const Options& o) {
  std::vector<std::string> known;
  for (const MethodEntry& m : methods()) known.push_back(m.id);
  for (const std::string& id : o.only)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw Error(fmt::format("--only: unknown formulation '{}'; {}choose from {}", id,
                              did_you_mean(id, known), method_names()));
  std::vector<const MethodEntry*> asked;
  for (const MethodEntry& m : methods())
    if (o.only.empty() || std::find(o.only.begin(), o.only.end(), m.id) != o.only.end())
      asked.push_back(&m);
  return asked;
}

std::string pair_text(const std::optional<Counts>& c) {
  return c ? fmt::format("{}/{}", c->multiplications, c->additions) : "–";
}

void print_rows(const Options& o, const Robot& robot, const std::vector<MethodComparison>& rows,
                const std::vector<ForwardComparison>& forward) {
  fmt::print(
      "{}, {} degrees of freedom, {} random states. Multiplications/additions: as written (no "
      "simplification); simplified,\nwith rotations given as nine numbers each; customised, for "
      "this robot (sines and cosines not counted). Depth is\nthe critical path of the customised "
      "graph, as multiplications + additions.\n\n",
      robot.name(), robot.nv(), o.samples);
  fmt::print("{}", heading(fmt::format("{:<28}{:>10}{:>16}{:>13}{:>13}{:>18}{:>12}\n",
                                       "inverse dynamics", "error", "as written", "simplified",
                                       "customised", "depth", "time")));
  for (const MethodComparison& r : rows) {
    if (!r.reason.empty()) {
      fmt::print("{:<28}{}\n", r.entry->id, r.reason);
      continue;
    }
    const auto& c = r.cost;
    fmt::print("{:<28}{:>10.1e}{:>16}{:>13}{:>13}{:>18}{:>12}\n", r.entry->id, r.error,
               fmt::format("{}/{}", c.as_written.multiplications, c.as_written.additions),
               pair_text(c.dense), pair_text(c.customised),
               c.depth ? fmt::format("{} = {} + {}", c.depth->total(), c.depth->multiplications,
                                     c.depth->additions)
                       : "–",
               human_time(r.ns * 1e-9));
    if (!c.why_not_traced.empty()) fmt::print("    not traced: {}\n", c.why_not_traced);
  }
  if (forward.empty()) return;
  fmt::print("\n{}", heading(fmt::format("{:<28}{:>10}{:>16}{:>56}\n", "forward dynamics", "error",
                                         "as written", "time")));
  for (const ForwardComparison& r : forward)
    fmt::print("{:<28}{:>10.1e}{:>16}{:>56}\n", r.id, r.error,
               fmt::format("{}/{}", r.count.multiplications, r.count.additions),
               human_time(r.ns * 1e-9));
}

// ---- published figures beside ours

std::string number(double x) { return std::isnan(x) ? "–" : fmt::format("{:.10g}", x); }

void print_published(int n) {
  fmt::print("\nPublished and computed counts, multiplications/additions, at n = {}\n", n);
  std::string source;
  for (const PublishedCount& p : published_counts(n)) {
    if (p.source != source) fmt::print("\n{}\n", source = p.source);
    fmt::print("  {:<46} printed {:>13}   ours {:>13}   {}\n", p.method,
               number(p.multiplications) + "/" + number(p.additions),
               number(p.our_multiplications) + "/" + number(p.our_additions), p.verdict);
    if (!p.rule.empty()) fmt::print("      rule: {}\n", p.rule);
    if (!p.ours.empty()) fmt::print("      ours: {}\n", p.ours);
    fmt::print("      {}\n", p.reason);
  }
}

Json published_json(int n) {
  auto list = Json::array();
  auto finite = [](double x) { return std::isnan(x) ? Json(nullptr) : Json(x); };
  for (const PublishedCount& p : published_counts(n))
    list.push_back({{"source", p.source},
                    {"method", p.method},
                    {"rule", p.rule},
                    {"printed", {finite(p.multiplications), finite(p.additions)}},
                    {"ours", {finite(p.our_multiplications), finite(p.our_additions)}},
                    {"what_ours_is", p.ours},
                    {"verdict", p.verdict},
                    {"reason", p.reason}});
  return list;
}

void print_growth(const std::vector<Growth>& all) {
  fmt::print("\nGrowth with n, exact polynomials (counts are integers)\n");
  for (const Growth& g : all) {
    fmt::print("\n{}, {}, n = {}..{}\n", g.id, g.convention, g.n.front(), g.n.back());
    fmt::print("  multiplications  {}\n  additions        {}\n",
               fit_text(fit(g.n, g.multiplications), g.n.front()),
               fit_text(fit(g.n, g.additions), g.n.front()));
    for (std::size_t k = 0; k < g.n.size(); ++k)
      fmt::print("{}{}: {}/{}",
                 k % 6 ? "   "
                 : k   ? "\n    "
                       : "    ",
                 g.n[k], g.multiplications[k], g.additions[k]);
    fmt::print("\n");
  }
}

Json growth_json(const std::vector<Growth>& all) {
  auto list = Json::array();
  for (const Growth& g : all) {
    const Fit m = fit(g.n, g.multiplications), a = fit(g.n, g.additions);
    auto text = [](const Fit& f) {
      return f.polynomial ? Json(f.polynomial->text()) : Json(nullptr);
    };
    list.push_back({{"id", g.id},
                    {"convention", g.convention},
                    {"n", g.n},
                    {"multiplications", g.multiplications},
                    {"additions", g.additions},
                    {"multiplications_fit", text(m)},
                    {"additions_fit", text(a)},
                    {"fit_from", std::max(m.from, a.from)}});
  }
  return list;
}

// ---- Markdown: values that do not change from run to run, so that pages can be checked against it

void print_markdown(const std::vector<MethodComparison>& rows) {
  MarkdownTable table(
      {"formulation", "as written M/A", "simplified M/A", "customised M/A", "depth"}, 1);
  for (const MethodComparison& r : rows) {
    const FormulationCost& c = r.cost;
    if (!r.reason.empty())
      table.add({r.entry->id, "–", "–", "–", r.reason});
    else
      table.add({r.entry->id,
                 fmt::format("{}/{}", c.as_written.multiplications, c.as_written.additions),
                 pair_text(c.dense), pair_text(c.customised),
                 c.depth ? fmt::format("{}", c.depth->total()) : "– (" + c.why_not_traced + ")"});
  }
  table.print();
}

void print_markdown(const std::vector<Growth>& all) {
  MarkdownTable table({"formulation", "convention", "multiplications", "additions"});
  for (const Growth& g : all)
    table.add({g.id, fmt::format("{}, n = {}..{}", g.convention, g.n.front(), g.n.back()),
               fit_text(fit(g.n, g.multiplications), g.n.front()),
               fit_text(fit(g.n, g.additions), g.n.front())});
  table.print();
}

void print_markdown(const std::vector<PublishedCount>& all) {
  MarkdownTable table({"source", "method", "printed M/A", "ours M/A", "verdict", "reason"});
  for (const PublishedCount& p : all)
    table.add({p.source, p.method, number(p.multiplications) + "/" + number(p.additions),
               number(p.our_multiplications) + "/" + number(p.our_additions), p.verdict,
               p.reason + (p.ours.empty() ? "" : " (ours: " + p.ours + ")")});
  table.print();
}

bool agree(const std::vector<MethodComparison>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const MethodComparison& r) {
    return !r.reason.empty() || !r.entry->exact || r.error <= 1e-12;
  });
}

// ---- depth of quantities of a chain

struct DepthRow {
  Robot robot;
  std::vector<ChainDepth> depths;
};

// Of the robot, or with --vary n=A..B of chain:A, chain:2A, … up to B.
std::vector<DepthRow> asked_depths(const Options& o) {
  std::vector<DepthRow> rows;
  auto add = [&](const Robot& robot) { rows.push_back({robot, chain_depths(robot)}); };
  if (o.vary.empty()) {
    add(load_robot(o.robot));
    return rows;
  }
  int from = 0, to = 0, end = 0;
  const std::string name = o.robot.robot.substr(0, o.robot.robot.find(':'));
  if (std::sscanf(o.vary.c_str(), "n=%d..%d%n", &from, &to, &end) != 2 ||
      end != static_cast<int>(o.vary.size()) || from < 1 || to < from || to > 1024)
    throw Error(
        fmt::format("--vary: '{}' is not n=A..B with 1 ≤ A ≤ B ≤ 1024, such as n=2..128", o.vary));
  Progress progress("tracing");
  for (int n = from; n <= to; n *= 2) {
    add(load_robot(fmt::format("{}:{}", name, n)));
    progress.at(std::log2(static_cast<double>(n)) / std::log2(static_cast<double>(to) + 1));
  }
  return rows;
}

std::string depth_pair(const ChainDepth& d) {
  auto text = [](const std::optional<GraphCost>& c) {
    return c ? fmt::format("{}", c->depth.total()) : std::string("–");
  };
  return text(d.serial) + " / " + text(d.parallel);
}
std::string operations(const std::optional<GraphCost>& c) {
  if (!c) return "–";
  return fmt::format("{}", c->count.multiplications + c->count.additions + c->count.divisions);
}

Json cost_json(const std::optional<GraphCost>& c) {
  if (!c) return nullptr;
  return {{"depth", c->depth.total()},
          {"multiplications", c->count.multiplications},
          {"additions", c->count.additions},
          {"divisions", c->count.divisions}};
}

int print_depths(const Options& o, const CLI::App& c) {
  refuse(c, {"--samples", "--published", "--only", "--processors", "--network", "--matrix-cells"},
         "--depths prints the depth of a chain's quantities only; omit one of the two");
  const std::vector<DepthRow> rows = asked_depths(o);
  if (o.json) {
    Json all = Json::array();
    for (const DepthRow& row : rows)
      for (const ChainDepth& d : row.depths)
        all.push_back({{"robot", row.robot.name()},
                       {"links", row.robot.canonical().topology.n},
                       {"quantity", d.quantity},
                       {"serial", cost_json(d.serial)},
                       {"parallel", cost_json(d.parallel)}});
    print({{"schema", "parid.compare/1"}, {"robot", o.robot.robot}, {"depths", all}});
    return 0;
  }
  std::vector<std::string> head{"links"};
  for (const ChainDepth& d : rows.front().depths) head.emplace_back(d.quantity);
  head.emplace_back("operations of forward");
  MarkdownTable table(head);
  for (const DepthRow& row : rows) {
    std::vector<std::string> cells{fmt::format("{}", row.robot.canonical().topology.n)};
    for (const ChainDepth& d : row.depths) cells.push_back(depth_pair(d));
    cells.push_back(operations(row.depths.back().serial) + " / " +
                    operations(row.depths.back().parallel));
    table.add(cells);
  }
  table.print();
  return 0;
}

int run(const Options& o, const CLI::App& c) {
  if (o.depths) return print_depths(o, c);
  if (o.markdown) {
    refuse(c, {"--json"}, "--markdown prints Markdown tables; omit one of the two");
    refuse(c, {"--processors", "--network", "--matrix-cells"},
           "--markdown has no table of scans; omit one of the two");
    if (o.published || !o.vary.empty())
      refuse(c, {"--samples"},
             "--markdown with --published or --vary prints counts only; omit one of them");
  }
  if (o.published && o.markdown && o.vary.empty())
    refuse(c, {"--only"}, "--published with --markdown covers all formulations; omit one of them");
  const std::vector<const MethodEntry*> asked = asked_methods(o);
  const Robot robot = load_robot(o.robot);
  if (robot.nv() == 0)
    throw Error(fmt::format("robot '{}' has no moving joint, so there is nothing to compare",
                            robot.name()));
  if (!o.vary.empty())
    refuse(c, {"--lock", "--attach", "--remove"},
           "--vary counts every robot of a family as it is; omit one of the two");
  const std::optional<ScanReport> scans = asked_scans(o, robot);
  const std::vector<Growth> grown =
      o.vary.empty() ? std::vector<Growth>() : growth(o.robot.robot, o.vary, asked);
  if (o.markdown && (o.published || !o.vary.empty())) {
    if (o.published) print_markdown(published_counts(robot.nv()));
    if (o.published && !o.vary.empty()) fmt::print("\n");
    if (!o.vary.empty()) print_markdown(grown);
    return 0;
  }
  Progress progress("comparing");
  const std::vector<MethodComparison> rows = compare_methods(
      robot, asked, o.samples, !o.markdown, [&](double part) { progress.at(part); },
      scans && scans->evaluation ? scans->evaluation->processors : 0);
  if (o.markdown) {
    print_markdown(rows);
    return agree(rows) ? 0 : 1;
  }
  const std::vector<ForwardComparison> forward =
      o.only.empty() ? compare_forward(robot, o.samples) : std::vector<ForwardComparison>();
  if (o.json) {
    Json out{{"schema", "parid.compare/1"},
             {"robot", robot.name()},
             {"samples", o.samples},
             {"formulations", rows_json(rows)}};
    out["forward_methods"] = rows_json(forward);
    if (o.published) out["published"] = published_json(robot.nv());
    if (!o.vary.empty()) out["growth"] = growth_json(grown);
    if (scans) out["scans"] = json_of(*scans);
    print(out);
  } else {
    print_rows(o, robot, rows, forward);
    if (o.published) print_published(robot.nv());
    if (!o.vary.empty()) print_growth(grown);
    if (scans) print(*scans);
  }
  return agree(rows) ? 0 : 1;
}

}  // namespace
}  // namespace compare_command

void add_compare(CLI::App& app, Action& action) {
  using namespace compare_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "compare", "Compare all formulations: accuracy, operation counts, depth and time");
  c->add_option("ROBOT", o.robot.robot, robot_help)->required();
  add_robot_changes(*c, o.robot);
  c->add_option("--samples", o.samples, "number of random states")
      ->check(CLI::Range(1L, 1000000L))
      ->capture_default_str();
  c->add_flag("--published", o.published,
              "compare with the counts printed in the papers, with the reason for each difference");
  c->add_option("--vary", o.vary,
                "n=2..20: count for every length of a family, and fit exact polynomials");
  c->add_flag(
      "--depths", o.depths,
      "print the critical paths of kinematics, Jacobian, mass matrix and forward dynamics of "
      "a chain, serial / by scans and trees; with --vary n=A..B for A, 2A, 4A, … links");
  c->add_option("--processors", o.processors,
                "run the chain's recurrences as parallel scans on this many processors: steps of "
                "every strategy, and number of transfers; and one evaluation by lee_chang_pfold: "
                "operations of each processor, words moved, distance from the lower bound")
      ->option_text("P");
  c->add_option("--network", o.network,
                "interconnection network: cascade, shuffle or inverse-shuffle (default: all three)")
      ->option_text("NAME");
  c->add_option("--matrix-cells", o.matrix_cells,
                "give each processor a matrix-multiplier chip with this many multiply-accumulate "
                "cells for products of rotations (default: no chip)")
      ->check(CLI::Range(1, 27))
      ->option_text("K");
  c->add_option("--only", o.only,
                "compare these formulations only (comma-separated, or repeat the option)")
      ->delimiter(',')
      ->allow_extra_args(false);
  auto* json = c->add_flag("--json", o.json, "print one JSON object instead of tables");
  c->add_flag(
       "--markdown", o.markdown,
       "print counts without times as a Markdown table; with --published or --vary, their tables")
      ->excludes(json);
  c->footer(
      "Exit code 1: an exact formulation differs from Newton-Euler by more than 1e-12.\nExamples:  "
      "parid compare puma560\n           parid compare chain:6 --published\n           parid "
      "compare chain:6 --vary n=2..20\n           parid compare chain:64 --only lathrop,lee_chang "
      "--processors 8");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
