// The public functions of parid/schedule.hpp: tasks and schedules.

#include <fmt/format.h>

#include "model/given_values.hpp"
#include "parid/error.hpp"
#include "parid/schedule.hpp"
#include "schedule/bounds.hpp"
#include "schedule/processor_programs.hpp"
#include "schedule/scheduled_tasks.hpp"
#include "schedule/stg.hpp"

namespace parid {

using schedule::Tasks;

struct TaskSet::Parts {
  Tasks tasks;
};

namespace {

schedule::TaskSource source_of(const TaskOptions& o) {
  schedule::TaskSource s;
  s.tasks = o.decomposition;
  s.grain = o.grain;
  s.friction = o.friction;
  s.weights.assign(o.weights.begin(), o.weights.end());
  if (s.tasks == TaskDecomposition::stg)
    throw Error("`tasks=stg`: these are the tasks of a file; choose another decomposition");
  return s;
}

std::shared_ptr<const TaskSet::Parts> parts_of(Tasks t) {
  return std::make_shared<const TaskSet::Parts>(TaskSet::Parts{std::move(t)});
}

Tasks given_tasks(std::string name, schedule::TaskGraph graph) {
  Tasks t;
  t.name = std::move(name);
  t.decomposition = TaskDecomposition::stg;
  t.unit = "units";
  t.graph.tasks = std::move(graph);
  return t;
}

schedule::TaskGraph graph_of(std::span<const TaskInfo> tasks, std::span<const TaskEdge> edges) {
  schedule::TaskGraph g;
  for (const TaskInfo& t : tasks) {
    if (t.duration < 0)
      throw Error(fmt::format("tasks: {} takes {}; give 0 or more", t.name, t.duration));
    g.add({t.name, t.duration, t.joint, t.layer, t.recursion});
  }
  for (const TaskEdge& e : edges) {
    for (const int k : {e.before, e.after})
      if (k < 0 || k >= g.size())
        throw Error(fmt::format("edges: there is no task {}; give 0 to {}", k, g.size() - 1));
    if (e.words < 0) throw Error(fmt::format("edges: {} words; give 0 or more", e.words));
    g.precede(e.before, e.after, e.words);
  }
  g.order();  // throws for cycles
  return g;
}

OperationCounts public_counts(const graph::Counts& n) {
  return {n.multiplications, n.additions, n.divisions, n.square_roots, n.sin_cos, n.atan2};
}

schedule::Machine machine_of(const TaskMachine& m) {
  schedule::Machine machine{m.processors, m.speeds, m.latency, m.per_word};
  require_machine(machine);
  return machine;
}

schedule::Schedule placed(const TaskSchedule& s) {
  schedule::Schedule out{s.machine.processors, {}};
  for (const TaskPlacement& p : s.placements)
    out.placement.push_back({p.task, p.processor, p.start, p.end});
  return out;
}

// A schedule that was changed, or is of other tasks, may be invalid.
schedule::Schedule valid(const TaskSet& tasks, const TaskSchedule& s) {
  schedule::Schedule out = placed(s);
  const auto faults = check(tasks.parts().tasks.graph.tasks, machine_of(s.machine), out);
  if (!faults.empty())
    throw Error(fmt::format("schedule: {}; give a schedule of these tasks", faults[0].message));
  return out;
}

}  // namespace

TaskSet::TaskSet(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

TaskSet::TaskSet(const Robot& robot, Quantity quantity, const TaskOptions& options) {
  schedule::TaskSource source = source_of(options);
  source.quantity = generated_quantity(parid::name(quantity));
  parts_ = parts_of(tasks_of(robot, source));
}

TaskSet::TaskSet(const Robot& robot, ControlStep step, const TaskOptions& options) {
  schedule::TaskSource source = source_of(options);
  source.control = step;
  parts_ = parts_of(tasks_of(robot, source));
}

TaskSet::TaskSet(std::string name, std::span<const TaskInfo> tasks, std::span<const TaskEdge> edges)
    : parts_(parts_of(given_tasks(std::move(name), graph_of(tasks, edges)))) {}

TaskSet TaskSet::read_stg(const std::string& path) {
  return TaskSet(parts_of(given_tasks(path, schedule::read_stg(path))));
}
TaskSet TaskSet::parse_stg(const std::string& text, const std::string& name) {
  return TaskSet(parts_of(given_tasks(name, schedule::parse_stg(text, name))));
}
std::string TaskSet::stg() const { return stg_text(parts_->tasks.graph.tasks); }

const std::string& TaskSet::name() const { return parts_->tasks.name; }
const std::string& TaskSet::computation() const { return parts_->tasks.what; }
TaskDecomposition TaskSet::decomposition() const { return parts_->tasks.decomposition; }
const std::string& TaskSet::unit() const { return parts_->tasks.unit; }
const std::string& TaskSet::note() const { return parts_->tasks.note; }
double TaskSet::operations_per_unit() const { return parts_->tasks.operations_per_unit; }

int TaskSet::size() const { return parts_->tasks.graph.tasks.size(); }

std::vector<TaskInfo> TaskSet::tasks() const {
  const schedule::TaskGraph& g = parts_->tasks.graph.tasks;
  std::vector<TaskInfo> all;
  for (int k = 0; k < g.size(); ++k)
    all.push_back({g[k].name, g[k].duration, g[k].joint, g[k].layer, g[k].recursion});
  return all;
}

std::vector<TaskEdge> TaskSet::edges() const {
  const schedule::TaskGraph& g = parts_->tasks.graph.tasks;
  std::vector<TaskEdge> all;
  for (int k = 0; k < g.size(); ++k)
    for (const schedule::Link& l : g.after(k)) all.push_back({k, l.task, l.words});
  return all;
}

std::int64_t TaskSet::total() const { return schedule::total(parts_->tasks.graph.tasks); }
std::int64_t TaskSet::critical_path() const {
  return schedule::critical_path(parts_->tasks.graph.tasks);
}
int TaskSet::layers() const { return layer_count(parts_->tasks.graph.tasks); }
int TaskSet::concurrency() const { return schedule::concurrency(parts_->tasks.graph.tasks); }
std::optional<std::int64_t> TaskSet::program_critical_path() const {
  return schedule::program_critical_path(parts_->tasks);
}

bool TaskSet::has_operations() const { return parts_->tasks.executable; }
OperationCounts TaskSet::operations() const {
  return has_operations() ? public_counts(scheduled_counts(parts_->tasks.graph))
                          : OperationCounts{};
}
OperationCounts TaskSet::prepared() const {
  return has_operations() ? public_counts(prepared_counts(parts_->tasks.graph)) : OperationCounts{};
}

std::map<std::string, std::int64_t> TaskSet::weights() const {
  std::map<std::string, std::int64_t> all;
  if (const auto& weights = parts_->tasks.graph.weights)
    for (const graph::WeightName& w : graph::weight_names) all[w.name] = (*weights).*w.weight;
  return all;
}

std::vector<std::string> TaskSet::inputs() const {
  std::vector<std::string> names;
  for (const graph::Named& in : parts_->tasks.graph.graph.inputs()) names.push_back(in.name);
  return names;
}
std::vector<std::string> TaskSet::outputs() const {
  std::vector<std::string> names;
  for (const graph::Named& out : parts_->tasks.graph.graph.outputs()) names.push_back(out.name);
  return names;
}

TaskSet TaskSet::refined(std::int64_t factor) const {
  model::require_within("factor", static_cast<double>(factor), 1, 1e6);
  return TaskSet(parts_of(schedule::refined(parts_->tasks, factor)));
}

std::string TaskSet::picture(TaskPicture format, const TaskPart& part) const {
  return task_picture(parts_->tasks, format, part);
}

TaskSchedule schedule_tasks(const TaskSet& tasks, const TaskMachine& machine,
                            SchedulingMethod method, const SearchOptions& options) {
  const Tasks& t = tasks.parts().tasks;
  const schedule::Machine m = machine_of(machine);
  const schedule::Scheduler& by = schedule::scheduler(method);
  schedule::SearchLimits limits;
  limits.seconds = options.seconds;
  limits.progress = options.progress;
  const schedule::Outcome o = checked_run(by, t.graph.tasks, m, limits);
  TaskSchedule s;
  s.machine = machine;
  s.method = method;
  for (const schedule::Placement& p : o.schedule.placement)
    s.placements.push_back({p.task, p.processor, p.start, p.end});
  s.makespan = makespan(o.schedule);
  s.lower_bound = o.lower_bound;
  s.optimal = optimal(t, m, o);
  s.optimal_for_tasks = o.proven;
  if (by.by_joint) s.best_order = o.best_order;
  s.speedup = speedup(t, o.schedule);
  s.efficiency = s.speedup / machine.processors;
  s.nodes = o.nodes;
  return s;
}

ScheduleBounds schedule_bounds(const TaskSet& tasks, const TaskMachine& machine) {
  const schedule::LowerBounds b =
      lower_bounds(tasks.parts().tasks.graph.tasks, machine_of(machine));
  return {b.critical_path, b.load, b.fernandez_bussell, b.energetic};
}

std::vector<std::string> schedule_faults(const TaskSet& tasks, const TaskSchedule& s) {
  std::vector<std::string> all;
  for (const schedule::Fault& f :
       check(tasks.parts().tasks.graph.tasks, machine_of(s.machine), placed(s)))
    all.push_back(f.message);
  return all;
}

std::vector<double> evaluate_schedule(const TaskSet& tasks, const TaskSchedule& s,
                                      std::span<const double> inputs) {
  const schedule::TaskedGraph& g = tasks.parts().tasks.graph;
  if (!tasks.has_operations())
    throw Error("tasks: they have durations but no operations; use those of a robot's quantity");
  if (inputs.size() != g.graph.inputs().size())
    throw std::invalid_argument(fmt::format("inputs: {} numbers where the tasks read {}",
                                            inputs.size(), g.graph.inputs().size()));
  return evaluate(g, valid(tasks, s), inputs);
}

std::string gantt_chart(const TaskSet& tasks, const TaskSchedule& s) {
  return gantt_svg(tasks.parts().tasks, valid(tasks, s), name(s.method));
}

std::vector<CodeFile> processor_code(const TaskSet& tasks, const TaskSchedule& s) {
  std::vector<CodeFile> files;
  for (codegen::EmittedFile& f :
       processor_programs(tasks.parts().tasks, valid(tasks, s), name(s.method)))
    files.push_back({std::move(f.name), std::move(f.text)});
  return files;
}

SchedulePeriod schedule_period(const TaskSet& tasks, const TaskSchedule& s, double operation_time) {
  return schedule::schedule_period(tasks.parts().tasks, placed(s), operation_time);
}

}  // namespace parid
