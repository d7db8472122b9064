// A robot's computation as tasks on p processors.

#include "bindings.hpp"
#include "schedule/bounds.hpp"
#include "schedule/gantt.hpp"
#include "schedule/processor_programs.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/task_drawing.hpp"
#include "schedule/tasks/task_source.hpp"

namespace parid::python {
namespace {

py::dict counts_dict(const Counts& n) {
  py::dict d;
  for (const OperationKind& k : operation_kinds) d[k.name] = n.*k.count;
  return d;
}

// The source of the tasks: a robot, its name, or a file of tasks.
py::dict scheduled(const py::object& from, int processors, const py::dict& o) {
  TaskSource source;
  std::optional<Robot> robot;
  if (py::isinstance<py::str>(from))
    source.from = from.cast<std::string>();
  else
    robot = from.cast<const RobotHandle&>().robot;
  choose_computation(source, o["what"].cast<std::string>());
  if (const auto tasks = o["tasks"].cast<std::optional<std::string>>())
    source.tasks = decomposition(*tasks);
  source.grain = o["grain"].cast<std::optional<int>>();
  source.friction = o["friction"].cast<bool>();
  if (const py::object weights = o["weights"]; !weights.is_none())
    for (const auto& [name, weight] : py::dict(weights)) try {
        source.weights.emplace_back(name.cast<std::string>(), weight.cast<Time>());
      } catch (const py::cast_error&) {
        throw Error("weights: " + py::str(name).cast<std::string>() + " is " +
                    py::str(weight).cast<std::string>() +
                    "; give whole units of time, such as {'add': 1}");
      }
  const Machine machine{processors, {}, o["latency"].cast<long>(), o["per_word"].cast<long>()};
  if (machine.latency < 0 || machine.per_word < 0)
    throw Error("latency, per_word: times cannot be negative; give 0 or more");
  SearchLimits limits;
  limits.seconds = o["seconds"].cast<double>();
  const Scheduler& by = scheduler(o["scheduler"].cast<std::string>());
  Tasks t;
  Outcome outcome;
  {
    const Unlocked unlocked;
    t = robot ? tasks_of(*robot, source) : tasks_of(source);
    outcome = run(by, t.graph.tasks, machine, limits);
  }
  const TaskGraph& g = t.graph.tasks;
  if (const auto faults = check(g, machine, outcome.schedule); !faults.empty())
    throw std::logic_error(std::string(by.id) +
                           " computed an invalid schedule: " + faults[0].message);
  const Time length = makespan(outcome.schedule);
  py::dict d;
  d["source"] = t.name;
  d["what"] = t.what;
  d["decomposition"] = name(t.decomposition);
  d["unit"] = t.unit;
  d["note"] = t.note;
  d["scheduler"] = by.id;
  d["processors"] = processors;
  d["tasks"] = g.size();
  d["edges"] = g.edges();
  d["total"] = total(g);
  d["critical_path"] = critical_path(g);
  d["makespan"] = length;
  d["lower_bound"] = outcome.lower_bound;
  d["optimal"] = optimal(t, machine, outcome);
  d["optimal_for_tasks"] = outcome.proven;
  d["program_critical_path"] = program_critical_path(t);
  for (const char* key : {"weights", "operations", "prepared"}) d[key] = py::none();
  if (t.graph.weights) {
    py::dict weights;
    for (const WeightName& w : weight_names) weights[w.name] = (*t.graph.weights).*w.weight;
    d["weights"] = weights;
  }
  if (t.executable) {
    d["operations"] = counts_dict(scheduled_counts(t.graph));
    d["prepared"] = counts_dict(prepared_counts(t.graph));
  }
  py::list placements;
  for (const Placement& p : outcome.schedule.placement)
    placements.append(py::make_tuple(g[p.task].name, p.processor, p.start, p.end));
  d["placements"] = placements;
  d["gantt_svg"] = gantt_svg(g, outcome.schedule,
                             t.name + " " + t.what + " on " + std::to_string(processors) +
                                 " processors: " + std::to_string(length) + " " + t.unit,
                             t.unit);
  d["best_order"] = by.by_joint ? py::object(py::bool_(outcome.best_order)) : py::none();
  const std::string title = t.name + " " + t.what;
  // Pictures and programs take time and memory, so they are created on demand.
  const auto kept = std::make_shared<std::pair<Tasks, Schedule>>(std::move(t), outcome.schedule);
  d["_draw"] = py::cpp_function([kept, title](const std::string& format, const std::string& part) {
    const TaskGraph& tasks = kept->first.graph.tasks;
    return format == "dot" ? task_dot(tasks, title, drawn_part(part))
                           : task_svg(tasks, title, drawn_part(part));
  });
  d["_programs"] = py::cpp_function([kept](const std::string& scheduler) {
    const Tasks& tasks = kept->first;
    if (!tasks.executable)
      throw Error(
          "programs: these tasks have durations but no operations; use tasks='rules', "
          "'lean', 'coarse' or 'graph' of a robot");
    py::dict files;
    for (const EmittedFile& f : processor_programs(
             tasks.graph, kept->second, identifier(tasks.name + "_" + tasks.what),
             {tasks.name + " " + tasks.what + " by " + scheduler, "written by parid"}))
      files[f.name.c_str()] = f.text;
    return files;
  });
  return d;
}

}  // namespace

void add_schedule(py::module_& m) {
  m.def("schedule", scheduled);
  m.def("control_graphs", [] {
    py::list all;
    for (const ControlGraphInfo& i : control_graphs()) all.append(py::make_tuple(i.id, i.says));
    return all;
  });
  m.def("schedulers", [] {
    py::list all;
    for (const Scheduler& s : schedulers()) all.append(py::make_tuple(s.id, s.says));
    return all;
  });
}

}  // namespace parid::python
