#include "cli/schedule_source.hpp"
#include "cli/long_robot.hpp"

#include <fmt/format.h>

#include "parid/dynamics/friction_stage.hpp"
#include "parid/error.hpp"
#include "parid/generate/generate.hpp"
#include "parid/ir/factor.hpp"
#include "parid/ir/simplify.hpp"
#include "parid/model/canonical.hpp"
#include "parid/model/spelling.hpp"
#include "parid/run/forward_methods.hpp"
#include "parid/run/trace.hpp"
#include "parid/schedule/cluster.hpp"
#include "parid/schedule/coarse.hpp"
#include "parid/schedule/stg.hpp"
#include "parid/schedule/streamline.hpp"
#include "parid/schedule/subtasks.hpp"

namespace parid::cli {
namespace {

constexpr int default_grain = 3;
constexpr const char *levels = "levels of three operations", *operations = "operations";

void check_word(const std::string& word) {
  std::vector<std::string> known;
  for (const Decomposition& d : decompositions) known.emplace_back(d.id);
  for (const std::string& k : known)
    if (word == k) return;
  throw Error(fmt::format("--tasks: '{}' is not known; {}choose from {}", word,
                          did_you_mean(word, known), fmt::join(known, ", ")));
}

Tasks from_file(const TaskSource& s) {
  if (!s.tasks.empty() || s.grain || s.friction || s.what != "inverse")
    throw Error(fmt::format(
        "{}: a file of tasks is taken as it is; leave out WHAT, --tasks, --grain and --friction",
        s.from));
  Tasks t;
  t.name = s.from, t.decomposition = "stg", t.unit = "units";
  t.graph.tasks = read_stg(s.from);
  return t;
}

Tasks from_graph(const Robot& robot, const TaskSource& s, std::string note) {
  const int grain = s.grain.value_or(default_grain);
  if (grain < 1)
    throw Error(fmt::format("--grain: {} is no size of a task; give 1 or more", grain));
  const bool with_friction = s.friction && s.what == "inverse";
  if (s.friction && !with_friction)
    throw Error(fmt::format("--friction: {} has no friction in it; leave one of them out", s.what));
  // Friction follows the reactions of the true bodies, which base parameters do not keep.
  const Graph graph =
      with_friction
          ? factor(simplify(trace<ReferenceNewtonEuler>(robot.canonical(), {.friction = true})))
          : generate(robot, s.what).program.graph;
  return {robot.name(),    s.what, "graph", operations, clustered(graph, grain),
          std::move(note), true};
}

Tasks printed(const Robot& robot, const TaskSource& s) {
  const bool stanford = robot.name() == "stanford", general = robot.name() == "orthogonal:6";
  if (!stanford && !general)
    throw Error(
        fmt::format("--tasks printed: the thesis prints none for {}; take stanford or orthogonal:6",
                    robot.name()));
  if (s.friction) throw Error("--friction: the printed tasks have none; take --tasks rules");
  Tasks t;
  t.name = robot.name(), t.what = s.what, t.decomposition = "printed", t.unit = levels;
  t.graph.tasks =
      subtask_graph(6, stanford ? printed_stanford_subtasks() : printed_general_subtasks());
  t.note = "the thesis' set as printed: durations and edges, not a program";
  return t;
}

}  // namespace

Tasks tasks_of(const TaskSource& s) {
  if (s.from.ends_with(".stg")) return from_file(s);
  if (!s.tasks.empty()) check_word(s.tasks);
  return tasks_of(Robot::load(s.from), s);
}

Tasks tasks_of(const Robot& robot, const TaskSource& s) {
  require_moving_links(robot, 500, "a schedule");
  if (!s.tasks.empty()) check_word(s.tasks);
  std::string way = s.tasks, note;
  if (way.empty()) {
    way = "graph";
    if (s.what == "inverse" && !s.grain) {
      const std::string why = not_streamlined(robot);
      if (why.empty())
        way = "rules";
      else
        note = fmt::format(
            "no streamlined tasks, for {}; its program is taken instead, in grains of {} "
            "operations",
            why, default_grain);
    }
  }
  if (way != "graph" && s.what != "inverse")
    throw Error(
        fmt::format("--tasks {}: there are such tasks for inverse alone; take --tasks graph for {}",
                    way, s.what));
  if (way != "graph" && s.grain)
    throw Error(
        fmt::format("--grain: the tasks of --tasks {} have their sizes; take --tasks graph", way));
  if (s.friction && FrictionStage<double>(robot.canonical()).nothing())
    note = note.empty() ? "its file has no friction" : note + "; its file has no friction";
  if (way == "graph") return from_graph(robot, s, note);
  if (way == "printed") return printed(robot, s);
  if (way == "coarse")
    return {robot.name(), s.what, way, operations, coarse(robot, s.friction), note, true};
  const Streamline how = way == "lean" ? Streamline::lean : Streamline::rules;
  return {robot.name(), s.what, way, levels, streamlined(robot, how, s.friction), note, true};
}

}  // namespace parid::cli
