// parid policy: what a policy of stale data reads, as a table, a file or a flow diagram.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "control/step_cost.hpp"
#include "control/table/flow_diagram.hpp"
#include "control/table/policy_file.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace policy_command {
namespace {

struct Options : RobotOptions {
  std::string policy, detail = "blocks";
  std::optional<std::string> diagram, output;
  std::optional<int> link;
  bool toml = false, json = false;
};

void write_whole(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.complete();
  file.commit();
}

const char* meaning(const Policy& p) {
  for (const PolicyEntry& e : policies())
    if (p.id == e.id) return e.what;
  return "";
}
const char* word(Prediction p) { return p == Prediction::hold ? "hold" : "linear"; }

struct Reading {
  TermInfo term;
  Age age;
  std::string link;  // "": every link
};
std::vector<Reading> readings(const Policy& p) {
  std::vector<Reading> all;
  for (const TermInfo& t : terms()) all.push_back({t, p.age(t.term), ""});
  for (const TermAge& x : p.exceptions)
    if (x.link > 0 || !x.joint.empty())
      all.push_back({info(x.term), x.age, x.joint.empty() ? std::to_string(x.link) : x.joint});
  return all;
}

int list(bool json) {
  if (json) {
    Json all = Json::array();
    for (const PolicyEntry& e : policies()) all.push_back({{"policy", e.id}, {"meaning", e.what}});
    print({{"schema", "parid.policy/1"}, {"policies", all}});
    return 0;
  }
  for (const PolicyEntry& e : policies())
    fmt::print("{} {}\n", heading(fmt::format("{:<20}", e.id)), e.what);
  return 0;
}

void print_table(const Policy& p) {
  fmt::print("{}{}{}\n", harmless(p.id), *meaning(p) ? ": " : "", meaning(p));
  if (p.by_chance) fmt::print("ages of neighbours' values are these or 0, at random\n");
  if (p.separate_alpha) fmt::print("alpha has a recursion of its own\n");
  if (p.ahead) fmt::print("the recursion is evaluated one period ahead\n");
  if (p.delay > 0) fmt::print("torques wait for {} periods\n", p.delay);
  if (p.predict_torque) fmt::print("torques are extrapolated linearly\n");
  fmt::print("\n{:<9} {:<16} {:>4}  {:<10} {}\n", "equation", "reads", "age", "prediction", "link");
  for (const Reading& r : readings(p))
    fmt::print("{:<9} {:<16} {:>4}  {:<10} {}\n", name_of(r.term.equation),
               fmt::format("{}.{}", name_of(r.term.variable), name_of(r.term.reader)),
               r.age.periods, word(r.age.prediction), r.link.empty() ? "all" : harmless(r.link));
}

Json json_of(const Policy& p) {
  Json ages = Json::array();
  for (const Reading& r : readings(p))
    ages.push_back({{"equation", name_of(r.term.equation)},
                    {"variable", name_of(r.term.variable)},
                    {"reader", name_of(r.term.reader)},
                    {"age", r.age.periods},
                    {"prediction", word(r.age.prediction)},
                    {"link", r.link.empty() ? Json(nullptr) : Json(r.link)}});
  return {{"schema", "parid.policy/1"},
          {"policy", p.id},
          {"meaning", meaning(p)},
          {"random", p.by_chance},
          {"separate_alpha", p.alpha_apart()},
          {"ahead", p.ahead},
          {"delay", p.delay},
          {"predict_torque", p.predict_torque},
          {"ages", ages}};
}

Json json_of(const FlowDiagram& d) {
  Json nodes = Json::array(), edges = Json::array();
  for (const FlowNode& n : d.nodes)
    nodes.push_back({{"name", n.name}, {"link", n.link}, {"step", n.step}});
  for (const FlowEdge& e : d.edges) edges.push_back({e.from, e.to});
  return {{"steps", d.steps}, {"nodes", nodes}, {"edges", edges}};
}

void check_options(const Options& o, const CLI::App& c) {
  if (o.policy.empty())
    refuse(c, {"--robot", "--diagram", "--detail", "--link", "--toml", "--output"},
           "it is about one policy; give POLICY too");
  if (o.robot.empty())
    refuse(c, {"--diagram", "--detail", "--link", "--strict", "--arg", "--env", "--package"},
           "it requires --robot");
  if (!o.diagram && !o.json)
    refuse(c, {"--detail", "--link"}, "it requires --diagram FILE or --json");
  if (o.output && !o.toml) refuse(c, {"--output"}, "it requires --toml");
  if (o.toml && o.json) throw Error("--toml: --json prints the table as JSON; omit one of the two");
  if (!o.diagram) return;
  const std::string kind = std::filesystem::path(*o.diagram).extension().string();
  if (kind != ".svg" && kind != ".dot")
    throw Error(
        fmt::format("--diagram: '{}' is neither .svg nor .dot; give such a file", *o.diagram));
}

int run(const Options& o, const CLI::App& c) {
  check_options(o, c);
  if (o.policy.empty()) return list(o.json);
  Policy p = policy(o.policy);
  std::optional<Robot> robot;
  if (!o.robot.empty()) {
    robot = load_robot(o);
    bound(p, *robot);  // or an Error
  }
  std::optional<FlowDiagram> d;
  std::optional<StepCost> cost;
  if (robot) {
    d = flow_diagram(*robot, p, flow_detail(o.detail), o.link);
    cost = step_cost(*robot, p);
  }
  if (o.diagram)
    write_whole(*o.diagram, o.diagram->ends_with(".dot") ? flow_dot(*d) : flow_svg(*d));
  if (o.toml) {
    write_whole(o.output.value_or("-"), policy_toml(p));
    return 0;
  }
  if (!o.json) {
    print_table(p);
    if (cost)
      fmt::print("\n{}: {} steps of blocks, {} operations in sequence, {} in all\n", robot->name(),
                 cost->steps, cost->depth.total(), cost->operations);
    return 0;
  }
  Json object = json_of(p);
  object["robot"] = robot ? Json(robot->name()) : Json(nullptr);
  object["steps"] = cost ? Json(cost->steps) : Json(nullptr);
  object["depth"] = cost ? Json(cost->depth.total()) : Json(nullptr);
  object["operations"] = cost ? Json(cost->operations) : Json(nullptr);
  object["diagram"] = d ? json_of(*d) : Json(nullptr);
  print(object);
  return 0;
}

}  // namespace
}  // namespace policy_command

void add_policy(CLI::App& app, Action& action) {
  using namespace policy_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("policy", "Show the ages of a stale-data policy");
  c->add_option("POLICY", o.policy,
                "a name, or a .toml file with a table of ages (default: list the policies)");
  c->add_option("--robot", o.robot, "count steps and draw for this robot")->option_text("ROBOT");
  c->add_option("--diagram", o.diagram, "write a flow diagram of one period to .svg or .dot")
      ->option_text("FILE");
  std::string details;
  for (const FlowDetailEntry& e : flow_details())
    details += fmt::format("\n  {:<10} {}", e.id, e.what);
  c->add_option("--detail", o.detail, "nodes of the diagram (default: blocks):" + details)
      ->option_text("WHAT");
  c->add_option("--link", o.link, "draw this moving link alone, counted from 1 at the base")
      ->option_text("N");
  c->add_flag("--toml", o.toml, "print the table as a file that --policy reads");
  c->add_option("-o,--output", o.output, "write --toml to a file (default: standard output)")
      ->option_text("FILE");
  add_strict(*c, o);
  add_robot_file(*c, o);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "A node of the diagram waits for those that it reads of the same period; dashed nodes are "
      "values of earlier periods, k-1 of the last one.\nExamples:  parid policy hamilton\n"
      "           parid policy hamilton --toml -o mine.toml\n"
      "           parid policy mine.toml --robot planar3 --diagram flow.svg\n"
      "           parid policy binder_herzog --robot planar3 --diagram link2.dot --detail forward "
      "--link 2");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
