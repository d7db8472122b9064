#include "schedule/tasks/task_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/text/spelling.hpp"
#include "codegen/trace/generate.hpp"
#include "dynamics/friction_stage.hpp"
#include "graph/passes.hpp"
#include "model/canonical_model.hpp"
#include "model/given_values.hpp"
#include "parid/error.hpp"
#include "schedule/bounds.hpp"
#include "schedule/stg.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "schedule/tasks/subtasks.hpp"

namespace parid::schedule {
namespace {

constexpr int default_grain = 1, most_links = 500;
constexpr Time longest_operation = 1'000'000;
constexpr const char* level_unit = "levels of three operations";

constexpr TaskDecompositionInfo infos[] = {
    {Decomposition::rules, "rules",
     "the 43 subtasks per link of Dhanaraj (1990), less those that the rules omit"},
    {Decomposition::lean, "lean", "the same, using every zero of the robot's position vectors"},
    {Decomposition::printed, "printed",
     "the task sets printed by Dhanaraj (1990): stanford (156) and orthogonal:6 (230)"},
    {Decomposition::coarse, "coarse", "nine tasks per link, one per equation of Newton-Euler"},
    {Decomposition::stages, "stages", "one task per stage of a control step (orin, hierarchy)"},
    {Decomposition::graph, "graph",
     "the program of any quantity, in tasks of at most `grain` operations"},
};

// `usual`, overridden by the given weights.
OperationWeights weights(const TaskSource& s, OperationWeights usual) {
  std::vector<std::string> known;
  for (const WeightName& w : weight_names) known.emplace_back(w.name);
  for (const auto& [name, weight] : s.weights) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      throw Error(fmt::format("`weights`: unknown operation '{}'; {}choose from {}", name,
                              did_you_mean(name, known), fmt::join(known, ", ")));
    if (weight < 0 || weight > longest_operation)
      throw Error(
          fmt::format("`weights`: {} of {} units is out of range; give a whole number from 0 to {}",
                      name, weight, longest_operation));
    usual.*weight_names[static_cast<std::size_t>(at - known.begin())].weight = weight;
  }
  if (usual == OperationWeights{0, 0, 0, 0, 0, 0})
    throw Error("`weights`: all weights are zero; give at least one operation 1 or more");
  return usual;
}

std::string unit(const OperationWeights& w) {
  for (const WeightName& name : weight_names)
    if (w.*name.weight > 1) return "units of time";
  return "operations";
}

// One if every operation takes one unit or none; else a unit of time is not an operation.
int operations_per_unit(const OperationWeights& w) { return unit(w) == "operations" ? 1 : 0; }

std::string what(const TaskSource& s) { return s.control ? name(*s.control) : name(s.quantity); }

Tasks from_file(const TaskSource& s) {
  if (s.tasks || s.grain || s.friction || s.control || s.quantity != Quantity::inverse_dynamics ||
      !s.weights.empty())
    throw Error(fmt::format(
        "{}: a task file is complete; omit `what`, `tasks`, `grain`, `weights` and `friction`",
        s.from));
  Tasks t;
  t.name = s.from;
  t.decomposition = Decomposition::stg;
  t.unit = "units";
  t.graph.tasks = read_stg(s.from);
  return t;
}

Tasks from_graph(const Robot& robot, const TaskSource& s, std::string note) {
  const int grain = s.grain.value_or(default_grain);
  if (grain < 1) throw Error(fmt::format("`grain`: {} operations per task; give 1 or more", grain));
  const OperationWeights w = weights(s, {});
  const Graph graph = s.control
                          ? simplify(control_graph(robot, *s.control, s.friction, w).graph)
                          : generate(robot, s.quantity, {.friction = s.friction}).program.graph;
  Tasks t{robot.name(),    what(s), Decomposition::graph, unit(w), clustered(graph, grain, w),
          std::move(note), true};
  if (grain > 1) t.program = clustered(graph, 1, w).tasks;
  t.operations_per_unit = operations_per_unit(w);
  return t;
}

Tasks from_stages(const Robot& robot, const TaskSource& s, std::string note) {
  const OperationWeights w = weights(s, {});
  Tasks t{robot.name(),
          what(s),
          Decomposition::stages,
          unit(w),
          control_graph(robot, *s.control, s.friction, w),
          std::move(note),
          true};
  t.operations_per_unit = operations_per_unit(w);
  return t;
}

Tasks from_coarse(const Robot& robot, const TaskSource& s, std::string note) {
  const OperationWeights w = weights(s, sines_prepared);
  if (w.sine != 0)
    throw Error(
        "`weights`: the tasks of `tasks=coarse` have sines and cosines prepared, as in the papers; "
        "leave out sine, or use `tasks=graph`");
  Tasks t{robot.name(),
          name(s.quantity),
          Decomposition::coarse,
          unit(w),
          coarse(robot, s.friction, w),
          std::move(note),
          true};
  t.operations_per_unit = operations_per_unit(w);
  return t;
}

Tasks printed(const Robot& robot, const TaskSource& s) {
  const bool stanford = robot.name() == "stanford", general = robot.name() == "orthogonal:6";
  if (!stanford && !general)
    throw Error(fmt::format(
        "`tasks=printed`: Dhanaraj (1990) prints none for {}; use stanford or orthogonal:6",
        robot.name()));
  if (s.friction) throw Error("`friction`: the printed tasks have no friction; use `tasks=rules`");
  Tasks t;
  t.name = robot.name();
  t.what = name(s.quantity);
  t.decomposition = Decomposition::printed;
  t.unit = level_unit;
  t.graph.tasks =
      subtask_graph(6, stanford ? printed_stanford_subtasks() : printed_general_subtasks());
  t.operations_per_unit = 3;
  t.note = "the tasks printed by Dhanaraj (1990): durations and edges, not a program";
  return t;
}

}  // namespace

void choose_computation(TaskSource& s, const std::string& what) {
  s.control.reset();
  for (const ControlStepInfo& i : control_steps())
    if (what == i.id) {
      s.control = i.value;
      return;
    }
  s.quantity = generated_quantity(what);
}

std::vector<std::pair<std::string, Time>> named_weights(const std::string& text) {
  std::vector<std::pair<std::string, Time>> all;
  std::string rest = text + ",";
  for (std::size_t at; (at = rest.find(',')) != std::string::npos; rest = rest.substr(at + 1)) {
    const std::string part = rest.substr(0, at);
    const std::size_t sign = part.find('=');
    const std::string name = part.substr(0, sign),
                      number = sign == std::string::npos ? "" : part.substr(sign + 1);
    Time weight = 0;
    const auto [end, trouble] =
        std::from_chars(number.data(), number.data() + number.size(), weight);
    if (name.empty() || trouble != std::errc() || end != number.data() + number.size())
      throw Error(fmt::format(
          "`weights`: invalid weight '{}'; give operation=time, such as multiply=2,sine=0", part));
    for (const auto& [before, w] : all)
      if (before == name)
        throw Error(fmt::format("`weights`: {} is given twice; give it once", name));
    all.emplace_back(name, weight);
  }
  return all;
}

std::optional<Time> program_critical_path(const Tasks& t) {
  if (t.decomposition != Decomposition::graph) return std::nullopt;
  return critical_path(t.program ? *t.program : t.graph.tasks);
}

bool optimal(const Tasks& t, const Machine& m, const Outcome& o) {
  return t.program ? makespan(o.schedule) == lower_bounds(*t.program, m).best() : o.proven;
}

Tasks tasks_of(const TaskSource& s) {
  if (s.from.ends_with(".stg")) return from_file(s);
  return tasks_of(Robot::load(s.from, s.load), s);
}

Tasks tasks_of(const Robot& robot, const TaskSource& s) {
  require_moving_links(robot, most_links, "a schedule");
  Decomposition way = s.tasks.value_or(Decomposition::graph);
  std::string note;
  if (!s.tasks && s.control && !s.grain) way = Decomposition::stages;
  if (!s.tasks && !s.control && s.quantity == Quantity::inverse_dynamics && !s.grain &&
      s.weights.empty()) {
    const std::string why = not_streamlined(robot);
    if (why.empty())
      way = Decomposition::rules;
    else
      note = fmt::format(
          "no streamlined tasks, because {}; using one task per operation of its program instead",
          why);
  }
  const bool graph = way == Decomposition::graph, coarsely = way == Decomposition::coarse,
             stages = way == Decomposition::stages;
  if (stages && !s.control)
    throw Error(fmt::format(
        "`tasks=stages`: {} has no stages; they are those of orin and hierarchy, use `tasks=graph`",
        name(s.quantity)));
  if (!graph && !stages && (s.control || s.quantity != Quantity::inverse_dynamics))
    throw Error(fmt::format("`tasks={}`: only inverse has such tasks; use `tasks=graph` for {}",
                            name(way), what(s)));
  if (!graph && s.grain)
    throw Error(fmt::format("`grain`: the tasks of `tasks={}` have fixed sizes; use `tasks=graph`",
                            name(way)));
  if (!graph && !coarsely && !stages && !s.weights.empty())
    throw Error(fmt::format(
        "`weights`: the tasks of `tasks={}` take one level of three operations each; use "
        "`tasks=graph`, `tasks=coarse` or `tasks=stages`",
        name(way)));
  if (s.friction && FrictionStage<double>(robot.canonical()).nothing())
    note =
        note.empty() ? "the robot file has no friction" : note + "; the robot file has no friction";
  if (graph) return from_graph(robot, s, note);
  if (way == Decomposition::printed) return printed(robot, s);
  if (coarsely) return from_coarse(robot, s, note);
  if (stages) return from_stages(robot, s, note);
  const Streamline how = way == Decomposition::lean ? Streamline::lean : Streamline::rules;
  Tasks t{
      robot.name(), name(s.quantity), way, level_unit, streamlined(robot, how, s.friction), note,
      true};
  t.operations_per_unit = 3;
  return t;
}

}  // namespace parid::schedule

namespace parid {

std::span<const TaskDecompositionInfo> task_decompositions() { return schedule::infos; }

const char* name(TaskDecomposition d) {
  for (const TaskDecompositionInfo& i : task_decompositions())
    if (i.value == d) return i.id;
  if (d == TaskDecomposition::stg) return "stg";
  throw std::invalid_argument("there is no such decomposition");
}

TaskDecomposition task_decomposition(std::string_view id) {
  std::vector<std::string> known;
  for (const TaskDecompositionInfo& i : task_decompositions()) {
    if (id == i.id) return i.value;
    known.emplace_back(i.id);
  }
  throw Error(fmt::format("`tasks`: unknown decomposition '{}'; {}choose from {}", id,
                          base::did_you_mean(std::string(id), known), fmt::join(known, ", ")));
}

}  // namespace parid
